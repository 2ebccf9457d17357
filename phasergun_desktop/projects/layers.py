"""The layers of a project folder and which of them are searched without being asked for."""

from __future__ import annotations

from enum import StrEnum


class Layer(StrEnum):
    """Where a document stands in the folder convention."""

    SOPS = "sops"
    QUALITY_POLICIES = "quality_policies"
    PROJECT_QUALITY_PLANS = "project_quality_plans"
    MASTER_RECORD = "master_record"
    PRIMARY_CONTEXT = "primary_context"
    INITIATION = "initiation"
    ONGOING = "ongoing"
    PREDICATES = "predicates"
    REGULATORY_STRATEGY = "regulatory_strategy"
    GENERAL = "general"
    BOOTSTRAP = "bootstrap"
    DOCUMENTS = "documents"

    @property
    def is_procedure(self) -> bool:
        """Whether this layer belongs to ``Procedures/``."""
        return self in (Layer.SOPS, Layer.QUALITY_POLICIES, Layer.PROJECT_QUALITY_PLANS)


ALWAYS_SEARCHED: frozenset[Layer] = frozenset(
    {
        Layer.SOPS,
        Layer.MASTER_RECORD,
        Layer.PRIMARY_CONTEXT,
        Layer.INITIATION,
        Layer.ONGOING,
        Layer.PREDICATES,
        Layer.DOCUMENTS,
    }
)
PROCEDURES: frozenset[Layer] = frozenset(
    {Layer.SOPS, Layer.QUALITY_POLICIES, Layer.PROJECT_QUALITY_PLANS}
)
ONLY_IF_NAMED: frozenset[Layer] = frozenset(Layer) - ALWAYS_SEARCHED
