"""The terminal: results as plain tables that survive a pipe, a log and a narrow window."""
