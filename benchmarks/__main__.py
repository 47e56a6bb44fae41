"""Run every measurement: ``python -m benchmarks``."""

from benchmarks import attribute, ingest, statistics

if __name__ == "__main__":
    ingest.main()
    attribute.main()
    statistics.main()
