package io.jobqueue.internal.store.postgresql.jobs;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import com.zaxxer.hikari.HikariDataSource;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.JobReceipt;
import io.jobqueue.OnDuplicate;
import io.jobqueue.harness.NewJobBuilder;
import io.jobqueue.harness.TestPool;
import io.jobqueue.internal.store.ClaimedJob;
import io.jobqueue.internal.store.JobStore.AdmissionRules;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.OperationStore.CancelResult;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.store.Outcome.Completed;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Short ways to use one key.
 */
public abstract class KeyTestBase extends StoreTestBase {

	protected static final String OLD = "{\"text\":\"old\"}";

	protected static final String NEW = "{\"text\":\"new\"}";

	protected static final Duration LONG = Duration.ofHours(1);

	protected final TransactionTemplate transaction = new TransactionTemplate(
			new JdbcTransactionManager(this.dataSource));

	private final HikariDataSource outsidePool = TestPool.of(this.database.directDataSource(), 1);

	private final JdbcClient outside = JdbcClient.create(this.outsidePool);

	protected UUID holder = UUID.randomUUID();

	@AfterAll
	protected void closeOutsidePool() {
		this.outsidePool.close();
	}

	protected NewJob keyed(String payload, Duration delay, OnDuplicate onDuplicate, @Nullable Duration dedupeFor) {
		return keyed("signup-42", payload, delay, onDuplicate, dedupeFor);
	}

	protected NewJob keyed(String key, String payload, Duration delay, OnDuplicate onDuplicate,
			@Nullable Duration dedupeFor) {
		return new NewJobBuilder().payload(payload).delay(delay).key(key, onDuplicate, dedupeFor).build();
	}

	/**
	 * Use a key, in a transaction that goes on after this call if one is under way.
	 */
	protected JobReceipt add(NewJob job) {
		return inTransaction(() -> this.jobs.enqueue(List.of(job)).receipts().get(0));
	}

	protected JobReceipt addOld(Duration delay, @Nullable Duration dedupeFor) {
		return add(keyed(OLD, delay, OnDuplicate.KEEP, dedupeFor));
	}

	protected JobReceipt again(OnDuplicate onDuplicate) {
		return add(request(onDuplicate));
	}

	/**
	 * What each of the tests asks for while the key may be taken.
	 */
	protected NewJob request(OnDuplicate onDuplicate) {
		return keyed(NEW, (onDuplicate == OnDuplicate.DEBOUNCE) ? LONG : Duration.ZERO, onDuplicate, null);
	}

	protected <T> T inTransaction(Supplier<T> work) {
		return Objects.requireNonNull(this.transaction.execute((status) -> work.get()));
	}

	/**
	 * Let another transaction use the key, and return when it waits for this one.
	 */
	protected CompletableFuture<JobReceipt> waiting(OnDuplicate onDuplicate) {
		CompletableFuture<JobReceipt> receipt = CompletableFuture.supplyAsync(() -> again(onDuplicate));
		Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> {
			assertThat(receipt).isNotDone();
			return isAnyoneWaiting();
		});
		return receipt;
	}

	private boolean isAnyoneWaiting() {
		return this.outside.sql(
				"SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()")
			.query(Integer.class)
			.single() == 1;
	}

	protected ClaimedJob run() {
		this.holder = worker();
		return claimOne(this.holder);
	}

	protected ClaimedJob addAndRun(@Nullable Duration dedupeFor) {
		addOld(Duration.ZERO, dedupeFor);
		return run();
	}

	/**
	 * Run a job, and let another one follow it.
	 */
	protected ClaimedJob runAndRequeue() {
		ClaimedJob first = addAndRun(null);
		add(keyed(OLD, Duration.ZERO, OnDuplicate.REQUEUE, null));
		return first;
	}

	/**
	 * Add a job that waits for its turn.
	 */
	protected void addBehindAnother() {
		add(new NewJobBuilder().orderedBy("customer").build());
		UUID second = add(new NewJobBuilder().key("signup-42", OnDuplicate.KEEP, null).orderedBy("customer").build())
			.id();
		this.jobs.admit("emails", AdmissionRules.NONE);
		assertThat(column("state", second, String.class)).isEqualTo("BLOCKED");
	}

	protected void succeed(ClaimedJob job) {
		end(succeeded(job));
	}

	protected void end(Outcome outcome) {
		recordOutcomes(this.holder, outcome);
	}

	protected void delete(UUID job) {
		this.sql.sql("DELETE FROM jobqueue_job WHERE id = ?").param(job).update();
	}

	protected CancelResult cancel(UUID job) {
		return this.stores.operations().cancel(job, Duration.ofDays(1));
	}

	protected static Completed succeeded(ClaimedJob job) {
		return Completed.of(job, Duration.ZERO, null);
	}

	protected void endWindows() {
		this.sql.sql("UPDATE jobqueue_dedupe SET ends_at = statement_timestamp()").update();
	}

}
