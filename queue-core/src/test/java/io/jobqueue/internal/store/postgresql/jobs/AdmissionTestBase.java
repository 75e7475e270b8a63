package io.jobqueue.internal.store.postgresql.jobs;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.harness.NewJobBuilder;
import io.jobqueue.internal.store.AttemptStore.CompletionEffects;
import io.jobqueue.internal.store.AttemptStore.CompletionResult;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.ClaimedJob.HeldKeys;
import io.jobqueue.internal.store.JobStore.AdmissionResult;
import io.jobqueue.internal.store.JobStore.AdmissionRules;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.store.WakeUp.JobsAvailable;

/**
 * Short ways to admit jobs.
 */
public abstract class AdmissionTestBase extends StoreTestBase {

	protected static final Duration LONG = Duration.ofHours(1);

	protected final TransactionTemplate transaction = new TransactionTemplate(
			new JdbcTransactionManager(this.dataSource));

	protected static AdmissionRules slots(int number) {
		return new AdmissionRules(number, false);
	}

	protected NewJob keyed(@Nullable String ordering, @Nullable String limit) {
		return keyed(ordering, limit, 10, Duration.ZERO);
	}

	protected NewJob keyed(@Nullable String ordering, @Nullable String limit, int priority, Duration delay) {
		return new NewJobBuilder().priority(priority).delay(delay).orderedBy(ordering).limitedBy(limit).build();
	}

	protected UUID ordered(String key) {
		return enqueue(keyed(key, null));
	}

	protected UUID limited(String key) {
		return enqueue(keyed(null, key));
	}

	protected AdmissionResult admit() {
		return admit(AdmissionRules.NONE);
	}

	protected AdmissionResult admit(AdmissionRules rules) {
		return this.jobs.admit("emails", rules);
	}

	/**
	 * Admit what may come, and claim all of it.
	 */
	protected List<ClaimedJob> run(UUID worker, AdmissionRules rules) {
		admit(rules);
		return claim(worker, request("emails", 99));
	}

	protected List<UUID> runIds(UUID worker, AdmissionRules rules) {
		return run(worker, rules).stream().map(ClaimedJob::id).toList();
	}

	protected ClaimedJob runOne(UUID worker, AdmissionRules rules) {
		List<ClaimedJob> jobs = run(worker, rules);
		if (jobs.size() != 1) {
			throw new AssertionError("Expected one job, got " + jobs);
		}
		return jobs.get(0);
	}

	/**
	 * Record outcomes as a worker does, which releases the keys of jobs that are not
	 * released.
	 */
	protected CompletionResult end(UUID worker, List<ClaimedJob> jobs, Outcome... outcomes) {
		List<HeldKeys> freed = jobs.stream().map(ClaimedJob::heldKeys).filter(Objects::nonNull).toList();
		return this.jobs.recordOutcomes(worker, Arrays.asList(outcomes), jobs.stream().map(ClaimedJob::claim).toList(),
				new CompletionEffects(List.of(), freed));
	}

	protected CompletionResult succeed(UUID worker, ClaimedJob job) {
		return end(worker, List.of(job), Outcomes.completed(job));
	}

	protected CompletionResult later(UUID worker, ClaimedJob job, Duration delay) {
		return end(worker, List.of(job), Outcomes.retried(job, delay));
	}

	/**
	 * Do something beside the transaction that is open.
	 */
	protected static <T> T onAnotherConnection(Supplier<T> work) {
		return CompletableFuture.supplyAsync(work).join();
	}

	protected String state(UUID job) {
		return column("state", job, String.class);
	}

	@Nullable String admission(UUID job) {
		return this.sql.sql("SELECT coalesce(admission, 'OPEN') FROM jobqueue_job WHERE id = ?")
			.param(job)
			.query(String.class)
			.single();
	}

	protected static List<Boolean> pendingAdmission(CompletionResult written) {
		return written.available().stream().map(JobsAvailable::pendingAdmission).toList();
	}

}
