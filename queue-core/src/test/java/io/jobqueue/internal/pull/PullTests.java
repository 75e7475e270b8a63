package io.jobqueue.internal.pull;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.JobRequest;
import io.jobqueue.JobResult;
import io.jobqueue.JobSource;
import io.jobqueue.JobType;
import io.jobqueue.Priority;
import io.jobqueue.PulledJob;
import io.jobqueue.harness.Mail;
import io.jobqueue.harness.NodeTestBase;
import io.jobqueue.harness.QueueNode;
import io.jobqueue.internal.store.ClusterLimits;
import io.jobqueue.internal.store.JobStore.AdmissionRules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Which jobs a pull takes.
 */
@Tag("pooler") // transactions of callers
class PullTests extends NodeTestBase {

	private static final JobSource<Mail> MAILS = JobSource.of("emails", Mail.class);

	private static final JobSource<Object> ALL = JobSource.firstOf(JobSource.of("emails", Mail.class),
			JobSource.of("faxes", Fax.class));

	@Test
	void nothingIsPulledWhereNothingIsDue() {
		QueueNode node = started((settings) -> settings);
		node.queue().enqueue(JobRequest.of("emails", new Mail("later")).delay(Duration.ofHours(1)));
		node.queue().enqueue("others", new Mail("elsewhere"));
		assertThat(node.puller().tryPull(MAILS)).isNull();
	}

	/**
	 * Two nodes pull, and a worker with a handler competes with them.
	 */
	@Test
	void eachJobIsGivenToOne() throws Exception {
		Collection<UUID> taken = new ConcurrentLinkedQueue<>();
		List<QueueNode> nodes = List.of(started((settings) -> settings.name("first")),
				started((settings) -> settings.name("second")));
		List<UUID> jobs = enqueue(nodes.get(0), 300);
		Collection<UUID> pulled = new ConcurrentLinkedQueue<>();
		CountDownLatch begun = new CountDownLatch(1);
		started((settings) -> settings.handler((mail, job) -> {
			begun.countDown();
			await().until(() -> pulled.size() > 20);
			taken.add(job.id());
		}));
		begun.await();
		ExecutorService threads = closing(Executors.newCachedThreadPool());
		List<Future<?>> pulls = new ArrayList<>();
		for (QueueNode node : nodes) {
			IntStream.range(0, 3).forEach((thread) -> pulls.add(threads.submit(() -> pullAll(node, pulled))));
		}
		for (Future<?> pull : pulls) {
			pull.get();
		}
		await().until(() -> count("jobqueue_job") == 0);
		assertThat(taken).isNotEmpty();
		taken.addAll(pulled);
		assertThat(taken).containsExactlyInAnyOrderElementsOf(jobs);
		assertThat(count("jobqueue_archive WHERE state = 'SUCCEEDED' AND attempts = 1")).isEqualTo(300);
		assertThat(count("jobqueue_claim")).isZero();
	}

	private static Void pullAll(QueueNode node, Collection<UUID> pulled) throws InterruptedException {
		PulledJob<Mail> job = node.puller().pull(MAILS, Duration.ofMillis(500));
		while (job != null) {
			pulled.add(job.context().id());
			job.end(JobResult.success());
			job = node.puller().pull(MAILS, Duration.ofMillis(500));
		}
		return null;
	}

	@Test
	void mostUrgentComesFirst() {
		QueueNode node = started((settings) -> settings);
		node.queue().enqueue(JobRequest.of("emails", new Mail("slow")).priority(Priority.of(50)));
		node.queue().enqueue(JobRequest.of("emails", new Mail("fast")).priority(Priority.of(5)));
		node.queue().enqueue(JobRequest.of("emails", new Mail("slower")).priority(Priority.of(50)));
		assertThat(texts(node, MAILS)).containsExactly("fast", "slow", "slower");
	}

	@Test
	void severalQueuesAreOrderedByPriorityAndThenByDueTime() {
		QueueNode node = started((settings) -> settings);
		enqueue(node, JobRequest.of("faxes", new Fax("fax 3")), 50, 30);
		enqueue(node, JobRequest.of("emails", new Mail("mail 2")), 50, 40);
		enqueue(node, JobRequest.of("emails", new Mail("mail 4")), 50, 20);
		enqueue(node, JobRequest.of("faxes", new Fax("fax 1")), 5, 1);
		assertThat(texts(node, ALL)).startsWith("fax 1", "mail 2").contains("fax 3", "mail 4");
	}

	/**
	 * A queue that holds many is no reason to let another one wait.
	 */
	@Test
	void noQueueOfSeveralStarves() {
		QueueNode node = started((settings) -> settings);
		IntStream.range(0, 20).forEach((mail) -> enqueue(node, JobRequest.of("emails", new Mail("mail")), 50, 60));
		enqueue(node, JobRequest.of("faxes", new Fax("fax")), 50, 30);
		List<String> texts = new ArrayList<>();
		while (texts.size() < 40 && !texts.contains("fax")) {
			node.queue().enqueue(JobRequest.of("emails", new Mail("mail")).priority(Priority.of(50)));
			texts.add(next(node, ALL));
		}
		assertThat(texts.indexOf("fax")).isBetween(0, 21);
	}

	private void enqueue(QueueNode node, JobRequest job, int priority, int secondsAgo) {
		UUID id = node.queue().enqueue(job.priority(Priority.of(priority))).id();
		this.sql.sql("UPDATE jobqueue_job SET run_at = run_at - ? * interval '1 second' WHERE id = ?")
			.param(secondsAgo)
			.param(id)
			.update();
	}

	private static List<String> texts(QueueNode node, JobSource<?> source) {
		List<String> texts = new ArrayList<>();
		for (String text = next(node, source); text != null; text = next(node, source)) {
			texts.add(text);
		}
		return texts;
	}

	private static @Nullable String next(QueueNode node, JobSource<?> source) {
		PulledJob<?> job = node.puller().tryPull(source);
		if (job == null) {
			return null;
		}
		job.end(JobResult.success());
		return (job.payload() instanceof Mail mail) ? mail.text() : ((Fax) job.payload()).text();
	}

	@Test
	void otherTypesAreNotPulled() {
		QueueNode node = started((settings) -> settings);
		UUID fax = node.queue().enqueue("emails", new Fax("hi")).id();
		UUID mail = node.queue().enqueue("emails", new Mail("hi")).id();
		assertThat(texts(node, MAILS)).containsExactly("hi");
		assertThat(state(mail)).isEqualTo("SUCCEEDED");
		assertThat(state(fax)).isEqualTo("READY");
		assertThat(column("attempts", fax, Integer.class)).isZero();
	}

	@Test
	void aliasesAreTaken() {
		QueueNode node = started((settings) -> settings);
		UUID id = node.queue().enqueue("faxes", new Fax("hi")).id();
		this.sql.sql("UPDATE jobqueue_job SET type = 'telefax'").update();
		assertThat(texts(node, JobSource.of("faxes", Fax.class))).containsExactly("hi");
		assertThat(state(id)).isEqualTo("SUCCEEDED");
	}

	@Test
	void payloadsWithoutAClassOfTheirOwnAreTakenByTheirType() {
		QueueNode node = started((settings) -> settings);
		JobSource<?> notes = JobSource.of("emails", Map.class, "note");
		assertThat(node.puller().tryPull(notes)).as("Commits lead it to their jobs from now on").isNull();
		UUID memo = node.queue().enqueue(JobRequest.of("emails", Map.of("text", "memo")).type("memo")).id();
		node.queue().enqueue(JobRequest.of("emails", Map.of("text", "hi")).type("note"));
		node.queue().enqueue(JobRequest.of("emails", "ho").type("shout"));
		assertTaken(node, notes, Map.of("text", "hi"));
		assertTaken(node, JobSource.of("emails", String.class, "shout"), "ho");
		assertThat(node.puller().tryPull(notes)).isNull();
		assertThat(column("attempts", memo, Integer.class)).isZero();
	}

	private void assertTaken(QueueNode node, JobSource<?> source, Object payload) {
		PulledJob<?> job = node.puller().tryPull(source);
		assertThat(job).isNotNull();
		assertThat(job.payload()).isEqualTo(payload);
		job.end(JobResult.success());
	}

	@Test
	void unreadablePayloadIsAFailedAttemptAndTheNextJobIsTaken() {
		QueueNode node = started((settings) -> settings.maxAttempts(2));
		UUID broken = node.queue().enqueue("emails", new Mail("broken")).id();
		this.sql.sql("UPDATE jobqueue_job SET payload = '{\"text\": '").update();
		node.queue().enqueue("emails", new Mail("good"));
		assertThat(texts(node, MAILS)).containsExactly("good");
		awaitState(broken, "DEAD");
		assertThat(column("last_error", broken, String.class))
			.contains("payload of a job of type 'mail' cannot be read");
	}

	@Test
	void namesThatAreNoneAreRefused() {
		QueueNode node = started((settings) -> settings);
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> node.puller().tryPull("E-Mails", Mail.class))
			.withMessageContaining("'E-Mails'")
			.withMessageContaining("[a-z0-9]");
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> node.puller().tryPull("emails", Map.class))
			.withMessageContaining("name the type");
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> node.puller().tryPull("emails", List.class))
			.withMessageContaining("List");
	}

	@Test
	void twoClassesForOneTypeAreRefused() {
		QueueNode node = started((settings) -> settings);
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> node.puller()
				.tryPull(JobSource.firstOf(JobSource.of("notes", Map.class, "note"),
						JobSource.of("notes", String.class, "note"))))
			.withMessageContaining("'note'")
			.withMessageContaining("'notes'")
			.withMessageContaining("java.lang.String and java.util.Map");
		assertThat(node.puller()
			.tryPull(JobSource.firstOf(JobSource.of("notes", Map.class, "note"),
					JobSource.of("others", String.class, "note"))))
			.isNull();
	}

	@Test
	void limitOfTheClusterHolds() {
		QueueNode node = started((settings) -> settings.limits(new ClusterLimits(1, null)));
		enqueue(node, 2);
		PulledJob<Mail> first = node.puller().tryPull(MAILS);
		assertThat(first).isNotNull();
		assertThat(node.puller().tryPull(MAILS)).isNull();
		first.end(JobResult.success());
		assertThat(texts(node, MAILS)).hasSize(1);
	}

	@Test
	void orderPerKeyHolds() {
		QueueNode node = started((settings) -> settings.keys(AdmissionRules.NONE));
		node.queue().enqueue(JobRequest.of("emails", new Mail("1")).orderedBy("customer"));
		node.queue().enqueue(JobRequest.of("emails", new Mail("2")).orderedBy("customer"));
		PulledJob<Mail> first = node.puller().tryPull(MAILS);
		assertThat(first).isNotNull();
		assertThat(first.payload().text()).isEqualTo("1");
		assertThat(node.puller().tryPull(MAILS)).isNull();
		first.end(JobResult.success());
		assertThat(texts(node, MAILS)).containsExactly("2");
	}

	@Test
	void workerRowNamesTheQueues() {
		QueueNode node = started((settings) -> settings);
		assertThat(count("jobqueue_worker")).isZero();
		assertThat(node.puller().tryPull(ALL)).isNull();
		assertThat(this.sql.sql("SELECT queues FROM jobqueue_worker").query(String.class).single())
			.isEqualTo("emails,faxes");
	}

	private static List<UUID> enqueue(QueueNode node, int count) {
		return node.queue()
			.enqueueAll(IntStream.range(0, count)
				.mapToObj((mail) -> JobRequest.of("emails", new Mail(Instant.EPOCH + " " + mail)))
				.toList())
			.stream()
			.map((receipt) -> receipt.id())
			.toList();
	}

	private ExecutorService closing(ExecutorService threads) {
		closeLater(threads::shutdownNow);
		return threads;
	}

	/**
	 * Another payload.
	 *
	 * @param text its content
	 */
	@JobType(value = "fax", aliases = "telefax")
	record Fax(String text) {
	}

}
