package io.jobqueue.internal.store.postgresql.jobs;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.OnDuplicate;
import io.jobqueue.harness.NewJobBuilder;
import io.jobqueue.internal.store.NewJob;
import io.jobqueue.internal.store.Outcome;
import io.jobqueue.internal.store.Outcome.Completed;
import io.jobqueue.internal.store.Outcome.Dead;
import io.jobqueue.internal.store.Outcome.Released;
import io.jobqueue.internal.store.Outcome.RetryLater;
import io.jobqueue.internal.store.SourceStore;
import io.jobqueue.internal.store.SourceStore.Assignment;
import io.jobqueue.internal.store.SourceStore.AttemptedJob;
import io.jobqueue.internal.store.SourceStore.SourceLostException;
import io.jobqueue.internal.store.SourceStore.Written;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Jobs that are inserted with the outcome of an attempt, by the owner of their source.
 */
@Tag("pooler") // statements of the store
class SourceStoreTests extends StoreTestBase {

	private static final String SOURCE = "kafka:shop:orders-0";

	private final SourceStore sources = this.stores.sources();

	private final TransactionTemplate transaction = new TransactionTemplate(
			new JdbcTransactionManager(this.dataSource));

	@Test
	void failedAttemptIsRetriedLater() {
		NewJob job = ordered("a");
		enqueue(this.sources.assign(SOURCE), job, retried(job));
		assertThat(column("state", job.id(), String.class)).isEqualTo("RETRYING");
		assertThat(column("attempts", job.id(), Integer.class)).isOne();
		assertThat(column("last_error", job.id(), String.class)).isEqualTo("refused");
	}

	@Test
	void lastAttemptIsThatOfADeadJob() {
		NewJob job = ordered("a");
		enqueue(this.sources.assign(SOURCE), job, dead(job));
		assertThat(column("state", job.id(), String.class)).isEqualTo("DEAD");
		assertThat(count("jobqueue_job")).isZero();
	}

	@Test
	void attemptThatDidNotBeginDoesNotCount() {
		NewJob job = ordered("a");
		enqueue(this.sources.assign(SOURCE), job, new Released(job.id(), 0));
		assertThat(column("state", job.id(), String.class)).isEqualTo("READY");
		assertThat(column("attempts", job.id(), Integer.class)).isZero();
	}

	@Test
	void jobWhoseUniqueKeyIsTakenIsNotInserted() {
		NewJob first = unique();
		NewJob second = unique();
		Assignment own = this.sources.assign(SOURCE);
		enqueue(own, first, retried(first));
		Written written = enqueue(own, second, retried(second));
		assertThat(written.enqueued().receipts()).singleElement().matches((receipt) -> !receipt.accepted());
		assertThat(written.ended().jobs()).isEmpty();
		assertThat(count("jobqueue_job")).isOne();
	}

	@Test
	void formerOwnerInsertsNothing() {
		NewJob lost = ordered("a");
		NewJob kept = ordered("b");
		Assignment former = this.sources.assign(SOURCE);
		Assignment other = this.sources.assign("kafka:shop:orders-1");
		assertThat(this.sources.assign(SOURCE).generation()).isGreaterThan(former.generation());
		assertThatExceptionOfType(SourceLostException.class)
			.isThrownBy(() -> enqueue(new AttemptedJob(lost, former, retried(lost)),
					new AttemptedJob(kept, other, retried(kept))))
			.satisfies((ex) -> assertThat(ex.lost()).containsExactly(former));
		assertThat(count("jobqueue_job")).isZero();
	}

	@Test
	void noOwnerExcludesThoseOfASharedSource() {
		NewJob job = unique();
		Assignment shared = Assignment.shared(SOURCE);
		assertThat(this.sources.assign(SOURCE)).isNotEqualTo(shared);
		enqueue(shared, job, retried(job));
		assertThat(column("attempts", job.id(), Integer.class)).isOne();
	}

	@Test
	void nextOwnerWaitsForWhatTheFormerOneWrites() {
		NewJob job = ordered("a");
		Assignment former = this.sources.assign(SOURCE);
		CompletableFuture<Set<String>> keys = this.transaction.execute((status) -> {
			this.sources.enqueue(worker(), List.of(new AttemptedJob(job, former, retried(job))));
			CompletableFuture<Set<String>> next = CompletableFuture.supplyAsync(() -> {
				this.sources.assign(SOURCE);
				return liveKeys(false);
			});
			await().until(() -> this.sql
				.sql("""
						SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
						""")
				.query(Long.class)
				.single() > 0);
			assertThat(next).isNotDone();
			return next;
		});
		assertThat(keys.join()).containsExactly("a");
	}

	@Test
	void keysOfLiveJobsAreKnown() {
		Assignment own = this.sources.assign(SOURCE);
		NewJob live = ordered("live");
		NewJob dead = ordered("dead");
		NewJob succeeded = ordered("succeeded");
		enqueue(own, live, retried(live));
		enqueue(own, succeeded, new Completed(succeeded.id(), 0, Duration.ofDays(1), null, false, null));
		enqueue(own, dead, dead(dead));
		enqueue(new NewJobBuilder().queue("emails").orderedBy("of the application").build());
		assertThat(liveKeys(false)).containsExactly("live");
		assertThat(liveKeys(true)).containsExactlyInAnyOrder("live", "dead");
	}

	private Set<String> liveKeys(boolean deadHeadHolds) {
		return this.sources.liveKeys(List.of(SOURCE, "kafka:shop:orders-1"), "emails", deadHeadHolds)
			.getOrDefault(SOURCE, Set.of());
	}

	private static NewJob ordered(String key) {
		return new NewJobBuilder().queue("emails").orderedBy(key).group(SOURCE).build();
	}

	private static NewJob unique() {
		return new NewJobBuilder().queue("emails").key("record", OnDuplicate.KEEP, null).build();
	}

	private static RetryLater retried(NewJob job) {
		return new RetryLater(job.id(), 0, Duration.ofHours(1), "refused", false);
	}

	private static Dead dead(NewJob job) {
		return new Dead(job.id(), 0, "refused", Duration.ofDays(1));
	}

	private Written enqueue(Assignment own, NewJob job, Outcome outcome) {
		return enqueue(new AttemptedJob(job, own, outcome));
	}

	private Written enqueue(AttemptedJob... jobs) {
		UUID worker = worker();
		return this.transaction.execute((status) -> this.sources.enqueue(worker, Arrays.asList(jobs)));
	}

}
