package io.jobqueue.boot.autoconfigure;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

/**
 * The database that holds the jobs. It keeps data sources from the eyes of others, which
 * would take them for the application's.
 *
 * @param dataSource the application's data source
 * @param unpooled opens connections beside its pool, {@code null} if nothing can
 * @param schema the schema of the tables, {@code null} for the connection's own
 */
record QueueDatabase(DataSource dataSource, @Nullable DataSource unpooled, @Nullable String schema) {
}
