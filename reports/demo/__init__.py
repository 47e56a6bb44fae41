"""The demo: a made-up pipeline, run through everything foundlost does."""
