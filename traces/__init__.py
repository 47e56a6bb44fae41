"""What happened: traces of a retrieval pipeline, read, checked and stored."""
