"""PostgreSQL backend that looks at a kept connection without asking the server.

A restart of the server cuts kept connections, and that must break no page. Django would send an empty statement before
each request, which is one more wait for the server on every page. A connection that was cut, or on which the server has
said farewell, can be read from, and that the kernel knows.
"""

import select
from typing import Any

import psycopg
from django.db.backends.postgresql import base
from psycopg_pool import ConnectionPool


class DatabaseWrapper(base.DatabaseWrapper):
    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        connection = super().get_new_connection(conn_params)
        while self.pool and not _is_usable(connection):
            self.pool.putconn(connection)  # which makes a new one in its place
            connection = super().get_new_connection(conn_params)
        return connection


def _is_usable(connection: psycopg.Connection[Any]) -> bool:
    """Tell whether the server has cut a connection that is not in use. Only one with news is asked."""
    news = select.poll()
    news.register(connection.fileno(), select.POLLIN)
    if not news.poll(0):
        return True
    try:
        ConnectionPool.check_connection(connection)
    except psycopg.Error:
        return False
    return True
