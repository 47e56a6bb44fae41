"""A made-up help centre: documents and the questions they answer. No such product exists."""

from __future__ import annotations

from dataclasses import dataclass

FEATURES = (
    "single sign-on", "audit log", "webhooks", "custom roles", "search index", "data export", "API keys", "workspaces",
    "invoices", "seats", "SCIM provisioning", "certificate rotation", "rate limits", "backups", "retention rules",
    "notifications", "dashboards", "field mapping", "sandbox accounts", "usage reports", "regional hosting",
    "access requests", "bulk import", "scheduled jobs", "approval flows", "shared folders", "tagging",
    "two-step sign-in",
)  # fmt: skip

# For each intent: (question, title of the document that answers it, its text)
ASPECTS: dict[str, tuple[tuple[str, str, str], ...]] = {
    "How-to": (
        ("How do I turn on {f}?", "Turning on {f}", "An owner opens Settings, picks {f} and confirms the change"),
        (
            "How do I give a colleague access to {f}?",
            "Sharing {f}",
            "Access to {f} follows the role; add it in Members",
        ),
        (
            "Can {f} be set up through the API?",
            "{f} in the API",
            "Every setting of {f} has an endpoint of the same name",
        ),
        ("Where do I see who changed {f}?", "History of {f}", "The history tab of {f} names the editor and the time"),
        ("How do I move {f} to another workspace?", "Moving {f}", "Export {f} first, then import it in the new place"),
    ),
    "Troubleshooting": (
        (
            "{f} stopped working after the last update, what now?",
            "{f} after an update",
            "Sign out, clear the cache of {f} and retry",
        ),
        ("Why does {f} return an error 403?", "Error 403 in {f}", "A 403 in {f} means that the role lacks permission"),
        (
            "{f} is stuck at 97%, how do I restart it?",
            "Restarting {f}",
            "Cancel {f} from its menu; a restart keeps finished parts",
        ),
        (
            "Changes in {f} do not show up for some users",
            "Delays in {f}",
            "Changes to {f} reach every region within an hour",
        ),
    ),
    "Policy & limits": (
        (
            "How long is data from {f} kept?",
            "How long {f} keeps data",
            "Records of {f} are kept for 180 days, then removed",
        ),
        ("Is there a limit on {f} per hour?", "Limits of {f}", "{f} takes 600 calls an hour in each workspace"),
        (
            "Does {f} count toward the storage limit?",
            "{f} and storage",
            "Files made by {f} count, their history does not",
        ),
    ),
    "Comparison": (
        (
            "Is {f} better on Enterprise than on Business?",
            "{f} by plan",
            "Enterprise adds regions and longer history to {f}",
        ),
        (
            "What is the difference between {f} and tags?",
            "{f} or tags?",
            "Tags group items; {f} decides who can act on them",
        ),
        (
            "Should we use {f} or a script of our own?",
            "{f} or a script",
            "A script needs a key of its own, {f} does not",
        ),
    ),
    "Billing": (
        (
            "Why does our invoice list {f} twice?",
            "{f} on the invoice",
            "Two workspaces with {f} make two lines on one invoice",
        ),
        (
            "Can we be refunded for {f} added by mistake?",
            "Refunds for {f}",
            "{f} removed within 14 days is refunded in full",
        ),
    ),
}


@dataclass(frozen=True, slots=True)
class Document:
    """One page of the help centre."""

    doc_id: str
    title: str
    text: str
    feature: str


@dataclass(frozen=True, slots=True)
class Question:
    """One question and the document that answers it."""

    query: str
    intent: str
    answered_by: Document


def pages() -> list[Question]:
    """Return every page with its question, in a fixed order."""
    made: list[Question] = []
    for intent, aspects in ASPECTS.items():
        for query, title, text in aspects:
            for feature in FEATURES:
                document = Document(
                    doc_id=f"kb-{len(made) + 1:04d}",
                    title=_sentence(title.format(f=feature)),
                    text=f"{_sentence(text.format(f=feature))}.",
                    feature=feature,
                )
                made.append(Question(_sentence(query.format(f=feature)), intent, document))
    return made


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:]
