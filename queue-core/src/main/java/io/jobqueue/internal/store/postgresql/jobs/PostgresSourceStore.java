package io.jobqueue.internal.store.postgresql.jobs;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import org.springframework.jdbc.core.JdbcTemplate;

import io.jobqueue.JobReceipt;
import io.jobqueue.internal.store.AttemptStore.CompletionResult;
import io.jobqueue.internal.store.JobStore;
import io.jobqueue.internal.store.JobStore.EnqueueResult;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.store.Outcome.Released;
import io.jobqueue.internal.store.SourceStore;
import io.jobqueue.internal.store.postgresql.transaction.CallerStatements;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction;

/**
 * The {@link SourceStore} of a PostgreSQL database.
 */
public final class PostgresSourceStore implements SourceStore {

	private static final long CLAIM = 0;

	private final JobStore jobs;

	private final JdbcTemplate callers;

	private final CallerStatements statements;

	private final QueueTransaction transactions;

	private final AdmissionControl admissionControl;

	/**
	 * Create the store.
	 * @param callers runs statements in the transactions of callers
	 * @param transactions runs transactions of the queue
	 */
	public PostgresSourceStore(JdbcTemplate callers, QueueTransaction transactions) {
		this.jobs = new PostgresJobStore(callers, transactions);
		this.callers = callers;
		this.statements = new CallerStatements(callers, transactions.schema());
		this.transactions = transactions;
		this.admissionControl = new AdmissionControl(transactions);
	}

	private static final String ASSIGN = """
			INSERT INTO jobqueue_source AS s (name, generation) VALUES (?, 1)
			ON CONFLICT (name) DO UPDATE SET generation = s.generation + 1
			RETURNING s.generation
			""";

	@Override
	public Assignment assign(String source) {
		return Objects.requireNonNull(
				this.transactions.first(QueueTransaction.BEGIN, ASSIGN, (parameters) -> parameters.value(source),
						(row, number) -> new Assignment(source, row.getLong("generation"))));
	}

	/**
	 * The keys of dead jobs are read only if they block.
	 */
	private static final String LIVE_KEYS = """
			SELECT DISTINCT j.job_group AS source, j.ordering_key
			FROM jobqueue_job j
			WHERE j.job_group = ANY (?::text[]) AND j.ordering_key IS NOT NULL
			UNION
			SELECT a.job_group, a.ordering_key
			FROM jobqueue_archive a
			WHERE ? AND a.queue = ? AND a.ordering_key IS NOT NULL AND a.state = 'DEAD' AND a.job_group = ANY (?::text[])
			""";

	@Override
	public Map<String, Set<String>> liveKeys(Collection<String> sources, String queue, boolean deadHeadHolds) {
		Map<String, Set<String>> keys = new HashMap<>();
		this.transactions.list(QueueTransaction.BEGIN, LIVE_KEYS,
				(parameters) -> parameters.texts(sources, (source) -> source)
					.value(deadHeadHolds)
					.value(queue)
					.texts(sources, (source) -> source),
				(row, number) -> keys.computeIfAbsent(row.getString("source"), (source) -> new HashSet<>())
					.add(row.getString("ordering_key")));
		return keys;
	}

	@Override
	public Written enqueue(UUID worker, List<AttemptedJob> jobs) {
		requireAssigned(jobs.stream()
			.map(AttemptedJob::assignment)
			.filter((assignment) -> !assignment.isShared())
			.collect(Collectors.toSet()));
		EnqueueResult enqueued = this.jobs.enqueue(jobs.stream().map(AttemptedJob::job).toList());
		Set<UUID> accepted = enqueued.receipts()
			.stream()
			.filter(JobReceipt::accepted)
			.map(JobReceipt::id)
			.collect(Collectors.toSet());
		List<Outcome> attempts = jobs.stream()
			.map(AttemptedJob::outcome)
			.filter((outcome) -> accepted.contains(outcome.id()) && !(outcome instanceof Released))
			.toList();
		return new Written(enqueued, end(worker, attempts));
	}

	/**
	 * Waits for the next owner, and makes it wait until the end of this transaction.
	 */
	private static final String LOCK = """
			SELECT s.name, s.generation
			FROM unnest(?::text[], ?::bigint[]) AS o (name, generation)
			JOIN jobqueue_source s ON s.name = o.name AND s.generation = o.generation
			ORDER BY s.name
			FOR SHARE OF s
			""";

	private void requireAssigned(Set<Assignment> assignments) {
		if (assignments.isEmpty()) {
			return;
		}
		Set<Assignment> lost = new HashSet<>(assignments);
		this.statements
			.list(LOCK,
					(parameters) -> parameters.texts(assignments, Assignment::source)
						.bigints(assignments, Assignment::generation),
					(row, number) -> new Assignment(row.getString("name"), row.getLong("generation")))
			.forEach(lost::remove);
		if (!lost.isEmpty()) {
			throw new SourceLostException(lost);
		}
	}

	/**
	 * Begins attempts as a claim does, with keys that are admitted: no other transaction
	 * sees these rows before the attempts have ended.
	 */
	private static final String BEGIN_ATTEMPTS = """
			UPDATE jobqueue_job j
			SET locked_by = ?, claim = ?, attempts = 1, lease_until = statement_timestamp(),
			    run_at = coalesce(j.due_at, j.run_at), due_at = NULL, admission = NULL
			FROM unnest(?::uuid[]) AS o (id)
			WHERE j.id BETWEEN o.id AND o.id AND j.follows IS NULL
			""";

	private CompletionResult end(UUID worker, List<Outcome> attempts) {
		JobCompletions completions = new JobCompletions(this.transactions, this.admissionControl,
				new ProbedRetries(this.transactions), worker);
		if (!attempts.isEmpty()) {
			int unused = this.statements.update(BEGIN_ATTEMPTS,
					(parameters) -> parameters.value(worker).value(CLAIM).uuids(attempts, Outcome::id));
		}
		return completions.complete(attempts, this.callers);
	}

}
