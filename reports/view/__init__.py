"""The view: results become what is shown. All rounding, wording and ordering of the reports happen in this folder."""
