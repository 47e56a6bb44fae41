"""Results: frozen, at full precision, and the JSON they become.

Nothing here is rounded or worded; the reports do both. Field names are the contract scripts hold on to: adding one is
free, renaming one raises the number in ``schema``.
"""

from attribution.results.attribution import (
    Attribution,
    BySlice,
    Conditional,
    Fate,
    GroupsPresent,
    Identity,
    Leading,
    Questions,
    Slice,
    StageRecall,
)
from attribution.results.base import FateName, Labels, Policy, Result, Warn
from attribution.results.projection import (
    Discount,
    NextRun,
    Projection,
    RemovableStage,
    RequiredRecall,
    Sensitivity,
    Standardised,
    StandardisedIntent,
)
from attribution.results.traces import QuestionStage, QuestionTrace, RankedDocument, RunFacts, Source, StageOrigin

__all__ = [
    "Attribution",
    "BySlice",
    "Conditional",
    "Discount",
    "Fate",
    "FateName",
    "GroupsPresent",
    "Identity",
    "Labels",
    "Leading",
    "NextRun",
    "Policy",
    "Projection",
    "QuestionStage",
    "QuestionTrace",
    "Questions",
    "RankedDocument",
    "RemovableStage",
    "RequiredRecall",
    "Result",
    "RunFacts",
    "Sensitivity",
    "Slice",
    "Source",
    "StageOrigin",
    "StageRecall",
    "Standardised",
    "StandardisedIntent",
    "Warn",
]
