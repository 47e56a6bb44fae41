"""The parts that come separately: labels, outcomes, answers of oracle experiments, questions and documents.

Nothing stored is overwritten. Labels grow by a version an import. Questions and documents are read field by field,
where the latest import that gave a field wins (the steps ``current_questions`` and ``current_documents``).
"""

from traces.imports.documents import import_documents
from traces.imports.labels import import_labels
from traces.imports.oracle import answer_gate, import_oracle
from traces.imports.outcomes import import_outcomes
from traces.imports.questions import import_questions

__all__ = [
    "answer_gate",
    "import_documents",
    "import_labels",
    "import_oracle",
    "import_outcomes",
    "import_questions",
]
