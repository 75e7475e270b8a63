package io.jobqueue.internal.store.postgresql.recurring;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.core.JdbcTemplate;

import io.jobqueue.JobState;
import io.jobqueue.Misfire;
import io.jobqueue.Overlap;
import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.RecurringJobInfo;
import io.jobqueue.RecurringJobPage;
import io.jobqueue.RecurringJobQuery;
import io.jobqueue.internal.store.LoggedOperation;
import io.jobqueue.internal.store.RecurringStore;
import io.jobqueue.internal.store.postgresql.transaction.CallerStatements;
import io.jobqueue.internal.store.postgresql.transaction.Columns;
import io.jobqueue.internal.store.postgresql.transaction.Parameters;
import io.jobqueue.internal.store.postgresql.transaction.OperatorLog;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Answer;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction.Step;
import io.jobqueue.internal.store.postgresql.transaction.Schema;

/**
 * The {@link RecurringStore} of a PostgreSQL database.
 */
public final class PostgresRecurringStore implements RecurringStore {

	/**
	 * What the driver returns for infinity.
	 */
	private static final Instant INFINITY = OffsetDateTime.MAX.toInstant();

	private static final long MAX_FIRST_VERSION = 1L << 62;

	private final QueueTransaction transactions;

	private final JdbcTemplate jdbc;

	private final CallerStatements statements;

	private final Schema schema;

	/**
	 * Create the store.
	 * @param callers runs statements in the transactions of callers
	 * @param transactions runs transactions of the queue
	 */
	public PostgresRecurringStore(JdbcTemplate callers, QueueTransaction transactions) {
		this.transactions = transactions;
		this.jdbc = callers;
		this.schema = transactions.schema();
		this.statements = new CallerStatements(callers, this.schema);
	}

	/**
	 * A retry of the last job that is held back is due at due_at.
	 */
	private static final String DUE_COLUMNS = """
			r.name, r.version, r.cron, r.zone, r.rate_millis, r.misfire, r.overlap, r.jitter_millis, r.anchor_at, r.next_at,
			r.queue, r.type, r.priority, r.max_attempts, r.headers, j.id AS last_job,
			j.locked_by IS NULL AND (j.failures > 0 OR j.expected_failures > 0)
			    AND coalesce(j.due_at, j.run_at) > statement_timestamp() AS retrying
			""";

	/**
	 * The last job is read for due schedules only. The row 101 shows that another scan
	 * must follow.
	 */
	private static final String SCAN = """
			WITH due AS (
			    (SELECT name, next_at FROM jobqueue_recurring
			     WHERE NOT declared AND next_at BETWEEN coalesce(?::timestamptz, '-infinity') AND statement_timestamp()
			         AND name <> ALL (?::text[])
			     ORDER BY next_at LIMIT 101)
			    UNION ALL
			    (SELECT name, next_at FROM jobqueue_recurring
			     WHERE declared AND name = ANY (?::text[]) AND next_at <= statement_timestamp()
			         AND name <> ALL (?::text[])
			     ORDER BY next_at LIMIT 101)
			    ORDER BY next_at LIMIT 101
			), following AS (
			    SELECT least(
			        (SELECT next_at FROM jobqueue_recurring
			         WHERE NOT declared AND next_at > statement_timestamp() AND next_at < 'infinity'
			         ORDER BY next_at LIMIT 1),
			        (SELECT min(next_at) FROM jobqueue_recurring
			         WHERE declared AND name = ANY (?::text[]) AND next_at > statement_timestamp()
			             AND next_at < 'infinity')) AS next_at
			)
			SELECT statement_timestamp() AS at, f.next_at AS following_at,
			""" + DUE_COLUMNS + """
			FROM following f
			LEFT JOIN due d ON true
			LEFT JOIN jobqueue_recurring r ON r.name = d.name
			LEFT JOIN jobqueue_job j ON j.id = r.last_job_id
			ORDER BY r.next_at
			""";

	@Override
	public Scan scan(Collection<String> declared, @Nullable Instant from, Collection<String> except) {
		return this.transactions.query(QueueTransaction.BEGIN, SCAN,
				(parameters) -> parameters.text(text(from)).texts(except).texts(declared).texts(except).texts(declared),
				PostgresRecurringStore::scanned);
	}

	private static Scan scanned(ResultSet rows) throws SQLException {
		List<DueSchedule> due = new ArrayList<>();
		Instant next = null;
		Instant at = Instant.EPOCH;
		while (rows.next()) {
			at = Columns.instant(rows, "at");
			next = Columns.nullableInstant(rows, "following_at");
			if (rows.getString("name") != null) {
				due.add(due(rows));
			}
		}
		boolean more = due.size() > MAX_DUE;
		return new Scan(more ? due.subList(0, MAX_DUE) : due, more, next, at);
	}

	private static DueSchedule due(ResultSet row) throws SQLException {
		return new DueSchedule(row.getString("name"), row.getLong("version"), timing(row), misfire(row), overlap(row),
				jitter(row), Columns.instant(row, "anchor_at"), Columns.instant(row, "next_at"), row.getString("queue"),
				row.getString("type"), row.getObject("priority", Integer.class),
				row.getObject("max_attempts", Integer.class), row.getString("headers"),
				row.getObject("last_job", UUID.class), row.getBoolean("retrying"));
	}

	private static final String READ = """
			SELECT statement_timestamp() AS at, NULL::timestamptz AS following_at,
			""" + DUE_COLUMNS + """
			FROM jobqueue_recurring r
			LEFT JOIN jobqueue_job j ON j.id = r.last_job_id
			WHERE r.name = ?
			""";

	@Override
	public Scan read(String name) {
		return this.transactions.query(QueueTransaction.BEGIN_OPERATION, READ, (parameters) -> parameters.value(name),
				PostgresRecurringStore::scanned);
	}

	private static final String DISTANT = """
			SELECT name, version, cron, zone, rate_millis, anchor_at, next_at, statement_timestamp() AS at
			FROM jobqueue_recurring
			WHERE name > ? AND (NOT declared OR name = ANY (?::text[])) AND next_at < 'infinity'
			    AND next_at > statement_timestamp() + interval '2 hours'
			        + coalesce(rate_millis, 0) * interval '1 millisecond'
			ORDER BY name
			LIMIT 1000
			""";

	@Override
	public List<DistantTick> distant(Collection<String> declared, String after) {
		return this.transactions.list(QueueTransaction.BEGIN_MONITORING, DISTANT,
				(parameters) -> parameters.text(after).texts(declared),
				(row, number) -> new DistantTick(row.getString("name"), row.getLong("version"), timing(row),
						Columns.instant(row, "anchor_at"), Columns.instant(row, "next_at"),
						Columns.instant(row, "at")));
	}

	/**
	 * A schedule that another transaction has locked keeps its version, and the next scan
	 * finds it again. Jobs of one schedule are inserted in the order of their ticks.
	 */
	private static final String TICK = """
			WITH due AS (
			    SELECT r.name, t.next_at, t.skipped, t.missed, t.last_at, t.last_job_id
			    FROM unnest(?::text[], ?::bigint[], ?::timestamptz[], ?::bigint[], ?::bigint[], ?::timestamptz[], ?::uuid[])
			        AS t (name, version, next_at, skipped, missed, last_at, last_job_id)
			    JOIN jobqueue_recurring r ON r.name = t.name AND r.version = t.version
			    FOR UPDATE OF r SKIP LOCKED
			), ticked AS (
			    UPDATE jobqueue_recurring r
			    SET version = r.version + 1,
			        next_at = coalesce(d.next_at, 'infinity'),
			        skipped = r.skipped + d.skipped, missed = r.missed + d.missed,
			        last_at = coalesce(d.last_at, r.last_at), last_job_id = coalesce(d.last_job_id, r.last_job_id)
			    FROM due d
			    WHERE r.name = d.name
			    RETURNING r.name, r.queue, r.type, r.payload, r.payload_bytes, r.max_attempts, r.max_run_millis, r.job_group
			), written AS (
			    INSERT INTO jobqueue_job (id, queue, type, payload, payload_bytes, priority, run_at, created_at,
			                              max_attempts, max_run_millis, headers, job_group)
			    SELECT n.id, t.queue, t.type, t.payload, t.payload_bytes, n.priority,
			           greatest(n.run_at, statement_timestamp()), statement_timestamp(), t.max_attempts,
			           t.max_run_millis, n.headers, t.job_group
			    FROM unnest(?::uuid[], ?::text[], ?::timestamptz[], ?::text[], ?::smallint[])
			        WITH ORDINALITY AS n (id, name, run_at, headers, priority, place)
			    JOIN ticked t ON t.name = n.name
			    ORDER BY n.place
			)
			SELECT name, statement_timestamp() AS at FROM ticked
			""";

	@Override
	public TickResult tick(Collection<Tick> ticks, @Nullable LoggedOperation operation) {
		Answer<TickResult> result = Answer.ofRows(PostgresRecurringStore::ticked);
		Step step = tickStep(ticks, result);
		this.transactions.run((operation != null) ? QueueTransaction.BEGIN_OPERATION : QueueTransaction.BEGIN,
				List.of((operation != null) ? OperatorLog.logging(step, operation, "ticked") : step));
		return result.get();
	}

	private static Step tickStep(Collection<Tick> ticks, Answer<TickResult> result) {
		List<NamedJob> jobs = ticks.stream()
			.flatMap((tick) -> tick.jobs().stream().map((job) -> new NamedJob(tick.name(), job)))
			.toList();
		return new Step(TICK, (parameters) -> {
			setTicks(parameters, ticks);
			setJobs(parameters, jobs);
		}, result);
	}

	@Override
	public void log(LoggedOperation operation) {
		int unused = failingIfLocked(
				() -> this.statements.update(OperatorLog.ADD, (parameters) -> OperatorLog.set(parameters, operation)));
	}

	private static void setTicks(Parameters parameters, Collection<Tick> ticks) throws SQLException {
		parameters.texts(ticks, Tick::name)
			.bigints(ticks, Tick::version)
			.texts(ticks, (tick) -> text(tick.nextAt()))
			.bigints(ticks, Tick::skipped)
			.bigints(ticks, Tick::missed)
			.texts(ticks, (tick) -> tick.jobs().isEmpty() ? null : text(last(tick).scheduledAt()))
			.uuids(ticks, (tick) -> tick.jobs().isEmpty() ? null : last(tick).id());
	}

	private static TickedJob last(Tick tick) {
		return tick.jobs().get(tick.jobs().size() - 1);
	}

	private static void setJobs(Parameters parameters, Collection<NamedJob> jobs) throws SQLException {
		parameters.uuids(jobs, (each) -> each.job().id())
			.texts(jobs, NamedJob::schedule)
			.texts(jobs, (each) -> text(each.job().runAt()))
			.texts(jobs, (each) -> each.job().headers())
			.smallints(jobs, (each) -> each.job().priority());
	}

	private static TickResult ticked(ResultSet rows) throws SQLException {
		Set<String> names = new HashSet<>();
		Instant at = Instant.EPOCH;
		while (rows.next()) {
			names.add(rows.getString("name"));
			at = Columns.instant(rows, "at");
		}
		return new TickResult(names, at);
	}

	private static @Nullable String text(@Nullable Instant time) {
		return INFINITY.equals(time) ? "infinity" : Objects.toString(time, null);
	}

	private static final String STORED = """
			SELECT name, version, queue, type, payload, payload_bytes, priority, max_attempts, max_run_millis, headers, job_group,
			       cron, zone, rate_millis, misfire, overlap, jitter_millis, declared, declared_by, paused_at,
			       anchor_at, CASE WHEN next_at < 'infinity' THEN next_at END AS next_at
			FROM jobqueue_recurring
			WHERE name = ANY (?)
			ORDER BY name
			""";

	/**
	 * Read after the locks: it is not before the commit of the transaction that held
	 * them.
	 */
	private static final String NOW = """
			SELECT statement_timestamp() AS at
			""";

	@Override
	public StoredSchedules read(Collection<String> names) {
		return stored(STORED, names);
	}

	private static final String LOCK = STORED + """
			FOR UPDATE
			""";

	@Override
	public StoredSchedules lock(Collection<String> names) {
		return failingIfLocked(() -> stored(LOCK, names));
	}

	private StoredSchedules stored(String sql, Collection<String> names) {
		Map<String, StoredSchedule> stored = this.statements.query(sql, (parameters) -> parameters.texts(names),
				PostgresRecurringStore::storedByName);
		return new StoredSchedules(stored,
				this.jdbc.query(this.schema.in(NOW), (row, number) -> Columns.instant(row, "at")).get(0));
	}

	private static Map<String, StoredSchedule> storedByName(ResultSet rows) throws SQLException {
		Map<String, StoredSchedule> stored = new HashMap<>();
		while (rows.next()) {
			stored.put(rows.getString("name"), stored(rows));
		}
		return stored;
	}

	private static final String LIMIT_WAITS = "SELECT set_config('lock_timeout', '500ms', true), "
			+ QueueTransaction.END_IF_SUSPENDED;

	@Override
	public void limitWaits() {
		this.jdbc.execute(LIMIT_WAITS);
	}

	private static final String LOCK_NOT_AVAILABLE = "55P03";

	private static <T> T failingIfLocked(Supplier<T> work) {
		try {
			return work.get();
		}
		catch (UncategorizedSQLException ex) {
			throw isLocked(ex.getSQLException())
					? new CannotAcquireLockException("The schedule or a table is locked by another transaction", ex)
					: ex;
		}
	}

	private static boolean isLocked(@Nullable SQLException failure) {
		return failure != null && LOCK_NOT_AVAILABLE.equals(failure.getSQLState());
	}

	private static StoredSchedule stored(ResultSet row) throws SQLException {
		SavedSchedule saved = new SavedSchedule(row.getString("name"), job(row), timing(row), misfire(row),
				overlap(row), jitter(row), row.getBoolean("declared"), Columns.instant(row, "anchor_at"),
				Columns.nullableInstant(row, "next_at"));
		return new StoredSchedule(saved, row.getLong("version"), row.getObject("paused_at") != null,
				row.getString("declared_by"));
	}

	private static JobTemplate job(ResultSet row) throws SQLException {
		return new JobTemplate(row.getString("queue"), row.getString("type"), payload(row),
				row.getObject("priority", Integer.class), row.getObject("max_attempts", Integer.class),
				Columns.fromNow(row, "max_run_millis"), row.getString("headers"), row.getString("job_group"));
	}

	/**
	 * Without its check, a row may have none or both.
	 */
	private static Encoded payload(ResultSet row) throws SQLException {
		String text = row.getString("payload");
		byte[] bytes = row.getBytes("payload_bytes");
		return (text == null && bytes != null) ? Encoded.ofBytes(bytes)
				: Encoded.ofText(Objects.requireNonNullElse(text, ""));
	}

	/**
	 * A paused schedule stays paused. A schedule that was not there at the lock is not
	 * replaced if it exists by now: its anchor counts, and it may have had the tick that
	 * this one begins with. The rows are written in the order of their names, so that two
	 * statements do not block each other.
	 */
	private static final String SAVE = """
			WITH saved AS (
			    INSERT INTO jobqueue_recurring AS r (%1$s, next_at, version, declared_by)
			    SELECT %1$s, coalesce(next_at, 'infinity'), version, ?::text
			    FROM unnest(?::text[], ?::text[], ?::text[], ?::text[], ?::bytea[], ?::integer[], ?::integer[], ?::bigint[],
			                ?::text[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::text[], ?::text[], ?::bigint[],
			                ?::boolean[], ?::timestamptz[], ?::timestamptz[], ?::bigint[]) AS n (%1$s, next_at, version)
			    ORDER BY name
			    ON CONFLICT (name) DO UPDATE SET (%1$s, next_at, version, declared_by) =
			        (SELECT %1$s, next_at, version, declared_by FROM (SELECT excluded.*) e)
			    WHERE r.version = excluded.version - 1
			    RETURNING name
			)
			SELECT name FROM saved
			"""
		.formatted(
				"""
						name, queue, type, payload, payload_bytes, priority, max_attempts, max_run_millis, headers, job_group, cron, zone,
						rate_millis, misfire, overlap, jitter_millis, declared, anchor_at""");

	@Override
	public boolean save(Collection<SavedSchedule> schedules, StoredSchedules locked, @Nullable String application) {
		return failingIfLocked(() -> names(saveStep(schedules, locked, application))).size() == schedules.size();
	}

	@Override
	public boolean save(SavedSchedule schedule, StoredSchedules locked, LoggedOperation operation) {
		Step save = saveStep(List.of(schedule), locked, null);
		return !failingIfLocked(() -> names(OperatorLog.logging(save, operation, "saved"))).isEmpty();
	}

	private Step saveStep(Collection<SavedSchedule> schedules, StoredSchedules locked, @Nullable String application) {
		return new Step(SAVE, (parameters) -> set(parameters.replacedText(application), schedules).bigints(schedules,
				(each) -> version(locked.schedules().get(each.name()))));
	}

	private List<String> names(Step step) {
		return this.statements.list(step.sql(), step.parameters(), (row, number) -> row.getString("name"));
	}

	/**
	 * A deleted schedule of the same name may have had any version, which a node that was
	 * about to tick it has read: the first version of a row does not repeat.
	 */
	private static long version(@Nullable StoredSchedule existing) {
		return (existing != null) ? existing.version() + 1 : ThreadLocalRandom.current().nextLong(MAX_FIRST_VERSION);
	}

	private static Parameters set(Parameters parameters, Collection<SavedSchedule> schedules) throws SQLException {
		return parameters.texts(schedules, SavedSchedule::name)
			.texts(schedules, (each) -> each.job().queue())
			.texts(schedules, (each) -> each.job().type())
			.texts(schedules, (each) -> each.job().payload().text())
			.bytes(schedules, (each) -> each.job().payload().bytes())
			.integers(schedules, (each) -> each.job().priority())
			.integers(schedules, (each) -> each.job().maxAttempts())
			.bigints(schedules, (each) -> Columns.ofDuration(each.job().maxRunTime()))
			.texts(schedules, (each) -> each.job().headers())
			.texts(schedules, (each) -> each.job().group())
			.texts(schedules, (each) -> each.timing().cron())
			.texts(schedules, (each) -> each.timing().zone())
			.bigints(schedules, (each) -> Columns.ofDuration(each.timing().rate()))
			.texts(schedules, (each) -> Objects.toString(each.misfire(), null))
			.texts(schedules, (each) -> Objects.toString(each.overlap(), null))
			.bigints(schedules, (each) -> Columns.millis(each.jitter()))
			.booleans(schedules, SavedSchedule::declared)
			.texts(schedules, (each) -> text(each.anchorAt()))
			.texts(schedules, (each) -> text(each.nextAt()));
	}

	private static final String DELETE = """
			WITH deleted AS (
			    DELETE FROM jobqueue_recurring WHERE name = ? RETURNING name
			)
			SELECT name FROM deleted
			""";

	@Override
	public boolean delete(String name, LoggedOperation operation) {
		Step delete = new Step(DELETE, (parameters) -> parameters.value(name));
		return !failingIfLocked(() -> names(OperatorLog.logging(delete, operation, "deleted"))).isEmpty();
	}

	private static final String PAUSE = """
			UPDATE jobqueue_recurring
			SET version = version + 1, paused_at = statement_timestamp(), next_at = 'infinity'
			WHERE name = ?
			""";

	@Override
	public void pause(String name) {
		this.statements.update(PAUSE, (parameters) -> parameters.value(name));
	}

	private static final String RESUME = """
			UPDATE jobqueue_recurring
			SET version = version + 1, paused_at = NULL, next_at = coalesce(?::timestamptz, 'infinity')
			WHERE name = ?
			""";

	@Override
	public void resume(String name, @Nullable Instant nextAt) {
		this.statements.update(RESUME, (parameters) -> parameters.text(text(nextAt)).value(name));
	}

	private static final String FOUND = """
			SELECT r.name, r.queue, r.type, r.cron, r.zone, r.rate_millis, r.misfire, r.overlap, r.jitter_millis, r.declared,
			       r.paused_at, CASE WHEN r.next_at < 'infinity' THEN r.next_at END AS next_at, r.last_at, r.last_job_id,
			       (SELECT v.state FROM jobqueue_jobs v WHERE v.id = r.last_job_id LIMIT 1) AS last_state, r.skipped,
			       r.missed
			FROM jobqueue_recurring r
			""";

	private static final String FIND = FOUND + """
			WHERE r.name = ?
			""";

	@Override
	public @Nullable RecurringJobInfo find(String name) {
		return this.transactions.first(QueueTransaction.BEGIN_OPERATION, FIND, (parameters) -> parameters.value(name),
				(row, number) -> info(row));
	}

	@Override
	public RecurringJobInfo findInTransaction(String name) {
		return this.statements.list(FIND, (parameters) -> parameters.value(name), (row, number) -> info(row)).get(0);
	}

	private static final String LIST = FOUND + """
			WHERE r.name > ? AND r.name >= ? AND starts_with(r.name, ?)
			ORDER BY r.name
			LIMIT ?
			""";

	@Override
	public RecurringJobPage list(RecurringJobQuery query) {
		String prefix = query.namePrefix().orElse("");
		List<RecurringJobInfo> found = this.transactions.list(QueueTransaction.BEGIN_MONITORING, LIST,
				(parameters) -> parameters.text(query.after().orElse(""))
					.text(prefix)
					.text(prefix)
					.value(query.limit() + 1),
				(row, number) -> info(row));
		boolean more = found.size() > query.limit();
		List<RecurringJobInfo> page = more ? found.subList(0, query.limit()) : found;
		return new RecurringJobPage(page, more ? page.get(page.size() - 1).name() : null);
	}

	private static RecurringJobInfo info(ResultSet row) throws SQLException {
		Timing timing = timing(row);
		String state = row.getString("last_state");
		return new RecurringJobInfo(row.getString("name"), row.getString("queue"), row.getString("type"), timing.cron(),
				timing.rate(), zone(timing.zone()), misfire(row), overlap(row), jitter(row), row.getBoolean("declared"),
				Columns.nullableInstant(row, "paused_at"), Columns.nullableInstant(row, "next_at"),
				Columns.nullableInstant(row, "last_at"), row.getObject("last_job_id", UUID.class),
				(state != null) ? JobState.valueOf(state) : null, row.getLong("skipped"), row.getLong("missed"));
	}

	private static Timing timing(ResultSet row) throws SQLException {
		return new Timing(row.getString("cron"), row.getString("zone"), Columns.fromNow(row, "rate_millis"));
	}

	/**
	 * Return the zone with an id, {@code null} for one that this JVM does not know.
	 */
	private static @Nullable ZoneId zone(@Nullable String id) {
		try {
			return (id != null) ? ZoneId.of(id) : null;
		}
		catch (DateTimeException ex) {
			return null;
		}
	}

	private static Duration jitter(ResultSet row) throws SQLException {
		return Duration.ofMillis(row.getLong("jitter_millis"));
	}

	private static @Nullable Misfire misfire(ResultSet row) throws SQLException {
		return constant(Misfire.values(), row.getString("misfire"));
	}

	private static @Nullable Overlap overlap(ResultSet row) throws SQLException {
		return constant(Overlap.values(), row.getString("overlap"));
	}

	/**
	 * A row with an unknown value must not hide the other rows.
	 */
	private static <E extends Enum<E>> @Nullable E constant(E[] constants, String name) {
		return Stream.of(constants).filter((each) -> each.name().equals(name)).findFirst().orElse(null);
	}

	/**
	 * A job and the name of its schedule.
	 */
	private record NamedJob(String schedule, TickedJob job) {
	}

}
