"""What it means: where evidence was lost, what a fix is worth, how sure we are."""
