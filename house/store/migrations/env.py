"""Run migrations on the connection that the house hands over."""

from alembic import context

from house.store.rows import Row

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Row.metadata,
    render_as_batch=True,
    transaction_per_migration=False,
)
context.run_migrations()
