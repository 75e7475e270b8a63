package io.jobqueue.store.postgresql.schema;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.jdbc.core.JdbcTemplate;

import io.jobqueue.JobQueueException;
import io.jobqueue.store.postgresql.transaction.Schema;

/**
 * Brings the tables to the version that this code needs, or checks that they have it and
 * that the user of the database has the rights to work with them. Needs one connection.
 */
public final class SchemaMigration implements InitializingBean {

	static final String LOCATION = "classpath:io/jobqueue/store/postgresql/migration";

	private static final Logger logger = LoggerFactory.getLogger(SchemaMigration.class);

	private static final String INSUFFICIENT_PRIVILEGE = "42501";

	private final DataSource dataSource;

	private final @Nullable String schema;

	private final boolean migrate;

	/**
	 * Create a migration.
	 * @param dataSource the data source
	 * @param schema the schema of the tables, {@code null} for the connection's own
	 * @param migrate whether to migrate, instead of checking only
	 */
	public SchemaMigration(DataSource dataSource, @Nullable String schema, boolean migrate) {
		this.dataSource = dataSource;
		this.schema = schema;
		this.migrate = migrate;
	}

	/**
	 * Migrate or check. What the tables are up to date with is read from them: released
	 * migrations do not change.
	 * @throws MissingMigrationException if only checking, and something is missing
	 * @throws MissingRightsException if the user may not migrate, or not work with the
	 * tables
	 * @throws ReadOnlyDatabaseException if the connection can only read
	 * @throws MissingSchemaException if no schema was given, and the connection has none
	 */
	@Override
	public void afterPropertiesSet() {
		SchemaState state = checked();
		SortedSet<Integer> applied = applied(state);
		List<String> missing = missing(applied);
		if (missing.isEmpty()) {
			logger.info("Tables of the job queue are up to date (version {})", applied.last());
		}
		else if (this.migrate) {
			migrate(Objects.requireNonNull(state.name()), applied);
		}
		else {
			throw new MissingMigrationException(missing, LOCATION);
		}
	}

	private SchemaState checked() {
		SchemaState state = SchemaState.read(this.dataSource, this.schema, this.migrate);
		state.check();
		return state;
	}

	private void migrate(String name, SortedSet<Integer> before) {
		migrate(new FlywayMigration(this.dataSource, name, this.schema != null));
		int version = applied(checked()).last();
		if (before.isEmpty()) {
			logger.info("Tables of the job queue are created in schema {} (version {})", name, version);
		}
		else {
			logger.info("Tables of the job queue in schema {} are migrated from version {} to {}", name, before.last(),
					version);
		}
	}

	/**
	 * Flyway reads the schema and baselines it without a lock: a node that began at the
	 * same time may have come between.
	 */
	private static void migrate(FlywayMigration migration) {
		try {
			migration.run();
		}
		catch (Exception ex) {
			refuseDenial(ex);
			migrateAgain(migration, ex);
		}
	}

	private static void migrateAgain(FlywayMigration migration, Exception first) {
		try {
			migration.run();
		}
		catch (SQLException | RuntimeException ex) {
			ex.addSuppressed(first);
			throw new JobQueueException("Could not migrate the tables of the job queue: " + ex.getMessage(), ex);
		}
	}

	private static void refuseDenial(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof SQLException sql && INSUFFICIENT_PRIVILEGE.equals(sql.getSQLState())) {
				throw MissingRightsException.toMigrate(sql, failure);
			}
		}
	}

	private static final String VERSIONS = """
			SELECT version FROM jobqueue_version
			""";

	private SortedSet<Integer> applied(SchemaState state) {
		if (!state.versioned()) {
			return new TreeSet<>();
		}
		return new TreeSet<>(
				new JdbcTemplate(this.dataSource).queryForList(new Schema(state.name()).in(VERSIONS), Integer.class));
	}

	private static List<String> missing(SortedSet<Integer> applied) {
		return migrations().stream().filter((file) -> !applied.contains(version(file))).toList();
	}

	private static List<String> migrations() {
		try {
			Resource[] files = new PathMatchingResourcePatternResolver().getResources(LOCATION + "/V*.sql");
			return Arrays.stream(files).map(Resource::getFilename).filter(Objects::nonNull).sorted().toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Could not list the migrations of the job queue", ex);
		}
	}

	private static int version(String file) {
		return Integer.parseInt(file, 1, file.indexOf("__"), 10);
	}

}
