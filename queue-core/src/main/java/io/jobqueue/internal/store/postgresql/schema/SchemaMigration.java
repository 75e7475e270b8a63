package io.jobqueue.internal.store.postgresql.schema;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Comparator;
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
import io.jobqueue.internal.store.Causes;
import io.jobqueue.internal.store.postgresql.transaction.Schema;

/**
 * Migrates the tables to the version of this code, or checks that they have it. Checks
 * that the database user has the required rights and sees all rows. This uses one
 * connection at a time.
 */
public final class SchemaMigration implements InitializingBean {

	static final String LOCATION = "classpath:io/jobqueue/internal/store/postgresql/migration";

	private static final Logger logger = LoggerFactory.getLogger(SchemaMigration.class);

	private static final String INSUFFICIENT_PRIVILEGE = "42501";

	private final DataSource dataSource;

	private final @Nullable String schema;

	private final boolean migrate;

	private @Nullable SchemaState found;

	/**
	 * Create a migration.
	 * @param dataSource the data source
	 * @param schema the schema of the tables, {@code null} for the schemas in the
	 * connection's {@code search_path}
	 * @param migrate whether to migrate, {@code false} to check only
	 */
	public SchemaMigration(DataSource dataSource, @Nullable String schema, boolean migrate) {
		this.dataSource = dataSource;
		this.schema = schema;
		this.migrate = migrate;
	}

	/**
	 * Migrate or check. The applied versions are read from the tables.
	 * @throws UnusableDatabaseException if a migration is missing and migrating is
	 * switched off, if the connection is read-only or has no schema, or if the database
	 * user lacks rights or is subject to the row-level security of the tables
	 */
	@Override
	public void afterPropertiesSet() {
		SchemaState state = checked();
		this.found = state;
		SortedSet<Integer> applied = applied(state);
		List<String> missing = missing(applied);
		if (missing.isEmpty()) {
			logger.info("Tables of the job queue are up to date (version {})", applied.last());
		}
		else if (this.migrate) {
			migrate(Objects.requireNonNull(state.name()), applied);
		}
		else {
			throw UnusableDatabaseException.missingMigrations(missing, LOCATION);
		}
		SequenceCheck.check(this.dataSource, new Schema(state.name()));
	}

	/**
	 * Return the schema in which the tables were found or created. With this name,
	 * statements do not depend on the {@code search_path} of their connection, which the
	 * application may change.
	 * @return the schema
	 * @throws IllegalStateException before {@link #afterPropertiesSet()}
	 */
	public String schema() {
		return Objects.requireNonNull(found().name());
	}

	/**
	 * Return the timeouts of transactions of the database user.
	 * @return the timeouts
	 * @throws IllegalStateException before {@link #afterPropertiesSet()}
	 */
	public TransactionTimeouts timeouts() {
		return found().timeouts();
	}

	private SchemaState found() {
		if (this.found == null) {
			throw new IllegalStateException("The tables have not been looked for yet");
		}
		return this.found;
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
	 * Migrate, and repeat a failed migration once: Flyway reads and baselines the schema
	 * without a lock, so that a node that starts at the same time can cause a failure.
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
		for (Throwable cause : Causes.of(failure)) {
			if (cause instanceof SQLException sql && INSUFFICIENT_PRIVILEGE.equals(sql.getSQLState())) {
				throw UnusableDatabaseException.noRightToMigrate(sql, failure);
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
			return Arrays.stream(files)
				.map(Resource::getFilename)
				.filter(Objects::nonNull)
				.sorted(Comparator.comparingInt(SchemaMigration::version))
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Could not list the migrations of the job queue", ex);
		}
	}

	private static int version(String file) {
		return Integer.parseInt(file, 1, file.indexOf("__"), 10);
	}

}
