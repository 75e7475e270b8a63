package io.jobqueue.benchmark.plain;

import java.util.Collections;

/**
 * The statements of an application without a queue, beside which the queue is measured.
 */
public final class PlainSql {

	static final String CREATE = """
			CREATE TABLE IF NOT EXISTS plain_job (
			    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
			    run_at timestamptz NOT NULL DEFAULT now(),
			    locked_until timestamptz,
			    payload text NOT NULL
			) WITH (fillfactor = 45);
			CREATE INDEX IF NOT EXISTS plain_job_run_at ON plain_job (run_at, id);
			CREATE TABLE IF NOT EXISTS plain_archive (
			    id bigint PRIMARY KEY,
			    run_at timestamptz NOT NULL,
			    finished_at timestamptz NOT NULL,
			    payload text NOT NULL
			);
			TRUNCATE plain_job, plain_archive
			""";

	static final String FILL = """
			INSERT INTO plain_job (payload) SELECT '{"value":' || n || '}' FROM generate_series(1, ?) n
			""";

	static final String INSERT_PARCELS = """
			INSERT INTO plain_job (payload) SELECT unnest(?::text[])
			""";

	static final String INSERT_PARCEL = """
			INSERT INTO plain_job (payload) VALUES (?)
			""";

	static final String FILL_TOMORROW = """
			INSERT INTO plain_job (payload, run_at)
			SELECT '{"value":' || n || '}', now() + interval '1 day' FROM generate_series(1, ?) n
			""";

	static final String COUNT = """
			SELECT count(*) FROM plain_job WHERE run_at <= now()
			""";

	static final String CLAIM = """
			UPDATE plain_job SET locked_until = now() + interval '1 minute'
			WHERE id IN (
			    SELECT id FROM plain_job
			    WHERE run_at <= now() AND (locked_until IS NULL OR locked_until < now())
			    ORDER BY run_at, id
			    LIMIT ?
			    FOR UPDATE SKIP LOCKED)
			RETURNING id, payload
			""";

	public static final String DELETE = """
			DELETE FROM plain_job WHERE id = ANY (?)
			""";

	private static final String ARCHIVE_WHERE = """
			WITH gone AS (
			    DELETE FROM plain_job WHERE %s
			    RETURNING id, run_at, payload
			)
			INSERT INTO plain_archive (id, run_at, finished_at, payload)
			SELECT id, run_at, now(), payload FROM gone
			""";

	public static final String ARCHIVE = ARCHIVE_WHERE.formatted("id = ANY (?)");

	static final String ARCHIVE_ONE = ARCHIVE_WHERE.formatted("id = ?");

	static final String LISTEN = """
			LISTEN plain_job
			""";

	static final String INSERT_AND_NOTIFY = """
			INSERT INTO plain_job (payload) VALUES ('{}');
			NOTIFY plain_job
			""";

	public static final String CREATE_BUSINESS = """
			CREATE TABLE IF NOT EXISTS plain_order (
			    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
			    created_at timestamptz NOT NULL DEFAULT now(),
			    customer text NOT NULL
			)
			""";

	public static final String EMPTY_BUSINESS = """
			TRUNCATE plain_order
			""";

	public static final String INSERT_BUSINESS = """
			INSERT INTO plain_order (customer) VALUES (?)
			""";

	public static final String INSERT_ALL_BUSINESS = """
			INSERT INTO plain_order (customer) SELECT unnest(?::text[])
			""";

	public static final String COUNT_BUSINESS = """
			SELECT count(*) FROM plain_order
			""";

	static final String INSERT_PORTION = """
			INSERT INTO jobqueue_job (id, queue, type, payload, priority, run_at, created_at)
			SELECT id, queue, type, payload, priority, statement_timestamp(), statement_timestamp()
			FROM unnest(?::uuid[], ?::text[], ?::text[], ?::text[], ?::smallint[])
			    AS n (id, queue, type, payload, priority)
			""";

	public static final String CREATE_LEAN = """
			CREATE TABLE IF NOT EXISTS plain_lean (
			    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
			    queue text NOT NULL,
			    type text NOT NULL,
			    payload text NOT NULL,
			    priority smallint NOT NULL,
			    run_at timestamptz NOT NULL DEFAULT now(),
			    locked_until timestamptz
			);
			CREATE INDEX IF NOT EXISTS plain_lean_run_at ON plain_lean (run_at);
			TRUNCATE plain_lean
			""";

	static final String INSERT_LEAN_PORTION = """
			INSERT INTO plain_lean (queue, type, payload, priority)
			SELECT queue, type, payload, priority
			FROM unnest(?::text[], ?::text[], ?::text[], ?::smallint[]) AS n (queue, type, payload, priority)
			""";

	private static final String INSERT_JOBS = """
			INSERT INTO jobqueue_job (id, queue, type, payload, priority, run_at, created_at)
			VALUES %s
			""";

	private static final String JOB = "(?, ?, ?, ?, ?, statement_timestamp(), statement_timestamp())";

	private static final String INSERT_LEAN_JOBS = """
			INSERT INTO plain_lean (queue, type, payload, priority)
			VALUES %s
			""";

	private static final String LEAN_JOB = "(?, ?, ?, ?)";

	private PlainSql() {
	}

	/**
	 * Return what the business row of a transaction or job holds.
	 * @param number the number of the transaction or job
	 */
	public static String customer(long number) {
		return "customer " + number;
	}

	static String insertJobs(int rows) {
		return INSERT_JOBS.formatted(String.join(", ", Collections.nCopies(rows, JOB)));
	}

	static String insertLeanJobs(int rows) {
		return INSERT_LEAN_JOBS.formatted(String.join(", ", Collections.nCopies(rows, LEAN_JOB)));
	}

}
