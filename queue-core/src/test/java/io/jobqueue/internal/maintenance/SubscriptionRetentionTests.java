package io.jobqueue.internal.maintenance;

import java.time.Duration;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import io.jobqueue.JobReceipt;
import io.jobqueue.JobRequest;
import io.jobqueue.harness.CapturedLog;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.OpenTransaction;
import io.jobqueue.internal.store.SubscriptionStore;
import io.jobqueue.internal.store.SubscriptionStore.Declaration;
import io.jobqueue.internal.store.postgresql.PostgresStores;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Subscriptions that no worker declares any more end, after a warning and with no jobs.
 */
class SubscriptionRetentionTests extends NodeTestBase {

	private static final Duration WEEK = Duration.ofDays(7);

	private CapturedLog log = new CapturedLog();

	private SubscriptionStore store = store();

	@BeforeEach
	void subscribe() {
		this.log.close();
		this.log = new CapturedLog();
		this.store = store();
		this.store.declare(List.of(new Declaration("news", "post", Set.of(), "letters", Set.of("mail"))));
	}

	private SubscriptionStore store() {
		return closeLater(PostgresStores.of(this.pool, null, null)).subscriptions();
	}

	@AfterEach
	void release() {
		this.log.close();
	}

	@Test
	void declaredSubscriptionStays() {
		undeclaredFor("6 days - 1 hour");
		run(WEEK);
		assertThat(warnings()).isEmpty();
		assertThat(count("jobqueue_subscription")).isOne();
	}

	@Test
	void endsADayAfterAWarning() {
		undeclaredFor("6 days 1 hour");
		run(WEEK);
		assertThat(warnings()).containsExactly(
				"The subscription of 'post' to topic 'news' for type mail was declared by a worker 6d 1h ago: unless one does so again, it ends tomorrow (jobqueue.topics.subscription-retention)");
		run(WEEK);
		assertThat(warnings()).hasSize(1);
		undeclaredFor("7 days 30 minutes");
		warnedFor("23 hours");
		run(WEEK);
		assertThat(count("jobqueue_subscription")).isOne();
		warnedFor("1 day");
		run(WEEK);
		assertThat(count("jobqueue_subscription")).isZero();
		assertThat(warnings()).hasSize(2)
			.last()
			.asString()
			.contains("7d ago: ", "it has ended, and receives no jobs until a worker that declares it starts");
		assertThat(this.log.levels("The subscription of")).containsOnly("WARN");
	}

	/**
	 * After an outage of all nodes, the subscriber may start a moment later than others.
	 */
	@Test
	void doesNotEndWithoutAWarningADayBefore() {
		undeclaredFor("60 days");
		run(WEEK);
		assertThat(count("jobqueue_subscription")).isOne();
		assertThat(warnings()).singleElement().asString().contains("it ends tomorrow");
		this.store.declare(List.of(new Declaration("news", "post", Set.of(), "letters", Set.of("mail"))));
		undeclaredFor("60 days");
		run(WEEK);
		assertThat(count("jobqueue_subscription")).isOne();
	}

	@Test
	void staysWhileItsQueueHasLiveJobsOfItsType() {
		List<JobReceipt> jobs = producer().queue().publish("news", JobRequest.of(new Mail("hi")));
		undeclaredFor("8 days");
		warnedFor("2 days");
		run(WEEK);
		run(WEEK);
		assertThat(warnings()).containsExactly(
				"The subscription of 'post' to topic 'news' for type mail was declared by a worker 8d ago: it stays while queue 'letters' has jobs of this type. Start a worker that runs them, or delete them");
		assertThat(this.log.pairs("The subscription of").get(0)).containsEntry("job.queue", "letters");
		warnedFor("1 day");
		run(WEEK);
		assertThat(warnings()).hasSize(2);
		node(settings()).operations().delete(jobs.get(0).id());
		warnedFor("1 day");
		run(WEEK);
		assertThat(count("jobqueue_subscription")).isZero();
	}

	@Test
	void otherJobsDoNotKeepIt() {
		producer().queue().enqueue("letters", new Parcel(1));
		producer().queue().enqueue("emails", new Mail("hi"));
		undeclaredFor("8 days");
		warnedFor("2 days");
		run(WEEK);
		assertThat(count("jobqueue_subscription")).isZero();
	}

	@Test
	void zeroIsNever() {
		undeclaredFor("10 years");
		warnedFor("2 days");
		run(Duration.ZERO);
		assertThat(count("jobqueue_subscription")).isOne();
		assertThat(warnings()).isEmpty();
	}

	/**
	 * Workers declare hourly: before that, nothing is late.
	 */
	@Test
	void shortRetentionWarnsOfNoLivingSubscriber() {
		undeclaredFor("90 minutes");
		run(Duration.ofDays(1));
		assertThat(warnings()).isEmpty();
		undeclaredFor("3 hours");
		run(Duration.ofDays(1));
		assertThat(warnings()).hasSize(1);
	}

	@Test
	void oneOfSeveralNodesWarns() {
		undeclaredFor("6 days 1 hour");
		OpenTransaction other = closeLater(new OpenTransaction(this.database.dataSource()));
		other.sql().sql("UPDATE jobqueue_subscription SET warned_at = now()").update();
		run(WEEK);
		other.end(true);
		run(WEEK);
		assertThat(warnings()).isEmpty();
	}

	private void run(Duration retention) {
		new SubscriptionRetention(this.store, retention).runOnce();
	}

	private void undeclaredFor(String interval) {
		this.sql.sql("UPDATE jobqueue_subscription SET last_declared_at = now() - ?::interval")
			.param(interval)
			.update();
	}

	private void warnedFor(String interval) {
		this.sql.sql("UPDATE jobqueue_subscription SET warned_at = now() - ?::interval").param(interval).update();
	}

	private List<String> warnings() {
		return this.log.messages("The subscription of");
	}

	/**
	 * Another type of the same queue.
	 *
	 * @param weight its weight
	 */
	record Parcel(int weight) {
	}

}
