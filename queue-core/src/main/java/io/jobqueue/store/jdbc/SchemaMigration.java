package io.jobqueue.store.jdbc;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import javax.sql.DataSource;

import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Brings the tables to the version that this code needs, or checks that they have it.
 */
public final class SchemaMigration implements InitializingBean {

	private static final String LOCATION = "classpath:io/jobqueue/store/jdbc/postgresql";

	private static final String UNDEFINED_TABLE = "42P01";

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
	 * Migrate or check.
	 * @throws MissingMigrationException if only checking, and something is missing
	 * @throws MissingRightsException if migrating, and the user may not do it
	 */
	@Override
	public void afterPropertiesSet() {
		if (this.migrate) {
			migrate();
		}
		else {
			check();
		}
	}

	private void migrate() {
		try {
			flyway().migrate();
		}
		catch (FlywayException ex) {
			SQLException denial = denial(ex);
			if (denial != null) {
				throw new MissingRightsException(denial, ex);
			}
			migrateAgain(ex);
		}
	}

	/**
	 * Flyway looks at the schema and baselines it without a lock: a node that began at
	 * the same moment may have come between.
	 */
	private void migrateAgain(FlywayException first) {
		try {
			flyway().migrate();
		}
		catch (FlywayException ex) {
			ex.addSuppressed(first);
			throw ex;
		}
	}

	private static @Nullable SQLException denial(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof SQLException sql && INSUFFICIENT_PRIVILEGE.equals(sql.getSQLState())) {
				return sql;
			}
		}
		return null;
	}

	/**
	 * Baselined below the first version, since the application's tables may be in the
	 * same schema already.
	 */
	private Flyway flyway() {
		FluentConfiguration flyway = Flyway.configure(getClass().getClassLoader())
			.dataSource(this.dataSource)
			.locations(LOCATION)
			.table("jobqueue_schema_history")
			.baselineOnMigrate(true)
			.baselineVersion("0");
		return ((this.schema != null) ? flyway.defaultSchema(this.schema) : flyway).load();
	}

	private void check() {
		Set<Integer> applied = new HashSet<>(applied());
		List<String> missing = migrations().stream().filter((file) -> !applied.contains(version(file))).toList();
		if (!missing.isEmpty()) {
			throw new MissingMigrationException(missing, LOCATION);
		}
	}

	private Collection<Integer> applied() {
		try {
			return new JdbcTemplate(this.dataSource).query(new Schema(this.schema).in(PostgresUpkeepSql.VERSIONS),
					(row, number) -> row.getInt("version"));
		}
		catch (BadSqlGrammarException ex) {
			SQLException cause = ex.getSQLException();
			if (cause != null && UNDEFINED_TABLE.equals(cause.getSQLState())) {
				return List.of();
			}
			throw ex;
		}
	}

	private static List<String> migrations() {
		try {
			Resource[] files = new PathMatchingResourcePatternResolver().getResources(LOCATION + "/V*.sql");
			return Arrays.stream(files).map(Resource::getFilename).filter(Objects::nonNull).sorted().toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The migrations of the job queue cannot be listed", ex);
		}
	}

	private static int version(String file) {
		return Integer.parseInt(file, 1, file.indexOf("__"), 10);
	}

}
