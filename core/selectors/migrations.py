"""Which migrations this version knows, and which the database has."""

from collections.abc import Set

from django.apps.registry import Apps
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from core.domain.backups import Migration


def are_applied() -> bool:
    """Return whether the database has all migrations of this version."""
    executor = MigrationExecutor(connection)
    return not executor.migration_plan(executor.loader.graph.leaf_nodes())


def are_known(loader: MigrationLoader, migrations: Set[Migration]) -> bool:
    """Return whether this version has all these migrations."""
    return migrations <= set(loader.graph.nodes)


def models_at(loader: MigrationLoader, migrations: Set[Migration]) -> Apps:
    """Return the models as they are after these migrations."""
    return loader.project_state(newest(loader, migrations)).apps


def newest(loader: MigrationLoader, migrations: Set[Migration]) -> list[Migration]:
    """Return the last of these migrations in each app."""
    nodes = loader.graph.node_map
    followed = {parent.key for key in migrations for parent in nodes[key].parents if parent.key[0] == key[0]}
    return sorted(migrations - followed)
