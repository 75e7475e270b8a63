package io.jobqueue.boot.autoconfigure;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import io.jobqueue.Delivery;
import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobOperations;
import io.jobqueue.JobState;
import io.jobqueue.RecurringJob;
import io.jobqueue.RecurringJobInfo;
import io.jobqueue.RecurringJobPage;
import io.jobqueue.RecurringJobQuery;
import io.jobqueue.RecurringJobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Methods with schedules, and what is said about those that cannot work.
 */
class RecurringMethodTests extends QueueTestBase {

	private static final String YEARLY = "0 0 0 1 1 *";

	static final Arguments[] MISTAKES = {
			arguments(WithPayload.class, "has parameters other than one JobContext", "a schedule has no payload"),
			arguments(WithTwoContexts.class, "has parameters other than one JobContext", "Remove them"),
			arguments(Asynchronous.class, "is @Async, on the method or on its class", "Remove @Async"),
			arguments(OfFuture.class, "returns a CompletableFuture", "Wait for the work in the handler"),
			arguments(InBadQueue.class, "names queue 'E-Mails'", "Use a name that matches"),
			arguments(WithSpaces.class, "has the name 'purge carts'", "Use at most 200 printable characters"),
			arguments(InUnknownZone.class, "has zone = \"Europe/Berln\", which is not a time zone",
					"such as Europe/Berlin or UTC"),
			arguments(WithoutUnit.class, "has fixedRate = \"30\"", "Set a duration with its unit"),
			arguments(TooOften.class, "has fixedRate = \"500ms\"", "Set a duration from 1000ms to 100 years"),
			arguments(WithNegativeJitter.class, "has jitter = \"-1s\"", "Set a duration from 0ms to 100 years"),
			arguments(Misspelt.class, "'cron' is '0 60 3 * * *': field 2 (minute) cannot be '60'",
					"Correct its declaration"),
			arguments(Never.class, "'cron' is '0 0 0 30 2 *', which never fires", "Correct its declaration"),
			arguments(WithZoneAndRate.class, "'zone' has no effect on a fixed rate", "Correct its declaration"),
			arguments(WithBoth.class, "'cron' and a fixed rate are set: remove one of them", "Correct its declaration"),
			arguments(WithNeither.class, "'cron' is missing: set a cron expression or a fixed",
					"Correct its declaration"),
			arguments(AlsoScheduled.class, "is @Scheduled as well: it would run twice", "Remove @Scheduled"),
			arguments(OfTooFewAttempts.class, "has maxAttempts = -2", "Set a number of attempts"),
			arguments(WithBackoffWithoutUnit.class, "has backoff = \"5\"", "Set a duration with its unit"),
			arguments(Twice.class, "Two schedules are named 'run'", "Give one of them another name"),
			arguments(TwiceInOtherQueues.class, "The schedule 'run' is declared twice",
					"Give one of them another name") };

	@ParameterizedTest
	@FieldSource("MISTAKES")
	void mistakeIsNamedWithItsRemedy(Class<?> bean, String description, String action) {
		FailureAnalysis analysis = analyze(failure(this.contextRunner.withBean(bean)));
		assertThat(analysis.getDescription()).contains(bean.getName(), description).endsWith(".");
		assertThat(analysis.getAction()).contains(action).endsWith(".");
	}

	@ParameterizedTest
	@CsvSource({ "name", "cron", "zone", "queue", "jitter", "fixedRate" })
	void placeholderWithoutValueIsNamed(String attribute) {
		Class<?> bean = attribute.equals("fixedRate") ? WithRatePlaceholder.class : WithPlaceholders.class;
		ApplicationContextRunner runner = placeholders().withBean(bean);
		for (String other : new String[] { "name=n", "cron=" + YEARLY, "zone=UTC", "queue=q", "jitter=1s" }) {
			runner = other.startsWith(attribute + "=") ? runner : runner.withPropertyValues("my." + other);
		}
		FailureAnalysis analysis = analyze(failure(runner));
		assertThat(analysis.getDescription()).contains("The @RecurringJob method " + bean.getName() + ".run (bean '",
				" has %s = \"${my.%s}\", whose placeholder has no value".formatted(attribute, attribute));
		assertThat(analysis.getAction()).contains("Set that property");
	}

	private static Throwable failure(ApplicationContextRunner runner) {
		AtomicReference<Throwable> failure = new AtomicReference<>();
		runner.run((context) -> failure.set(context.getStartupFailure()));
		return failure.get();
	}

	private ApplicationContextRunner placeholders() {
		return this.contextRunner.withConfiguration(AutoConfigurations.of(PropertyPlaceholderAutoConfiguration.class));
	}

	@Test
	void placeholdersAreResolved() {
		placeholders().withBean(WithPlaceholders.class)
			.withBean(WithRatePlaceholder.class)
			.withPropertyValues("my.name=carts", "my.cron=" + YEARLY, "my.zone=Asia/Tokyo", "my.queue=housekeeping",
					"my.jitter=30s", "my.fixedRate=15m")
			.run((context) -> {
				RecurringJobs jobs = context.getBean(RecurringJobs.class);
				assertThat(jobs.find("carts").orElseThrow())
					.extracting(RecurringJobInfo::cron, RecurringJobInfo::zone, RecurringJobInfo::queue,
							RecurringJobInfo::jitter)
					.containsExactly(YEARLY, ZoneId.of("Asia/Tokyo"), "housekeeping", Duration.ofSeconds(30));
				assertThat(jobs.find("rate").orElseThrow().fixedRate()).isEqualTo(Duration.ofMinutes(15));
			});
	}

	@Test
	void placeholderSwitchesAScheduleOff() {
		placeholders().withBean(WithPlaceholders.class)
			.withPropertyValues("my.name=carts", "my.cron=-", "my.zone=UTC", "my.queue=housekeeping", "my.jitter=30s")
			.run((context) -> assertThat(schedules(context.getBean(RecurringJobs.class)).jobs()).isEmpty());
	}

	private static RecurringJobPage schedules(RecurringJobs jobs) {
		return jobs.list(RecurringJobQuery.all());
	}

	@Test
	void methodHasSeveralSchedules() {
		this.contextRunner.withBean(Repeated.class).run((context) -> {
			RecurringJobs jobs = context.getBean(RecurringJobs.class);
			assertThat(schedules(jobs).jobs()).extracting(RecurringJobInfo::name)
				.containsExactly("at-night", "at-noon");
			assertThat(schedules(jobs).jobs()).extracting(RecurringJobInfo::queue).containsOnly("housekeeping");
			jobs.trigger("at-noon");
			assertThat(context.getBean(Repeated.class).types.poll(30, TimeUnit.SECONDS)).isEqualTo("at-noon");
		});
	}

	@Test
	void nameIsThatOfTheMethodOfItsBean() {
		this.contextRunner.withBean("cleanup", Unnamed.class).run((context) -> {
			RecurringJobs jobs = context.getBean(RecurringJobs.class);
			assertThat(schedules(jobs).jobs()).extracting(RecurringJobInfo::name, RecurringJobInfo::type)
				.containsExactly(tuple("cleanup.run", "cleanup.run"));
		});
	}

	@Test
	void attemptsAndDeliveryAreThoseOfTheMethod() {
		this.contextRunner.withBean(Failing.class).run((context) -> {
			RecurringJobs jobs = context.getBean(RecurringJobs.class);
			JobOperations operations = context.getBean(JobOperations.class);
			for (String name : List.of("three-attempts", "at-most-once", "too-long")) {
				UUID job = jobs.trigger(name).id();
				await().until(() -> operations.find(job).orElseThrow().state() == JobState.DEAD);
				assertThat(operations.find(job).orElseThrow().attempt()).as(name)
					.isEqualTo(name.equals("three-attempts") ? 3 : 1);
			}
			jobs.trigger("in-a-transaction");
			assertThat(context.getBean(Failing.class).transactions.poll(30, TimeUnit.SECONDS)).isTrue();
		});
	}

	@Test
	@Tag("slow") // waits for ticks
	void tickIsTheTimeThatTheJobIsScheduledAt() {
		this.contextRunner.withBean(EachSecond.class).run((context) -> {
			BlockingQueue<Instant> ticks = context.getBean(EachSecond.class).ticks;
			Instant first = ticks.poll(30, TimeUnit.SECONDS);
			assertThat(ticks.poll(30, TimeUnit.SECONDS)).isEqualTo(first.plusSeconds(1));
		});
	}

	static class WithPayload {

		@RecurringJob(name = "run", cron = YEARLY)
		void run(Greeting greeting) {
		}

	}

	static class WithTwoContexts {

		@RecurringJob(name = "run", cron = YEARLY)
		void run(JobContext one, JobContext other) {
		}

	}

	static class Asynchronous {

		@Async
		@RecurringJob(name = "run", cron = YEARLY)
		void run() {
		}

	}

	static class OfFuture {

		@RecurringJob(name = "run", cron = YEARLY)
		CompletableFuture<String> run() {
			return CompletableFuture.completedFuture("done");
		}

	}

	static class InBadQueue {

		@RecurringJob(name = "run", cron = YEARLY, queue = "E-Mails")
		void run() {
		}

	}

	static class WithSpaces {

		@RecurringJob(name = "purge carts", cron = YEARLY)
		void run() {
		}

	}

	static class InUnknownZone {

		@RecurringJob(name = "run", cron = YEARLY, zone = "Europe/Berln")
		void run() {
		}

	}

	static class WithoutUnit {

		@RecurringJob(name = "run", fixedRate = "30")
		void run() {
		}

	}

	static class TooOften {

		@RecurringJob(name = "run", fixedRate = "500ms")
		void run() {
		}

	}

	static class WithNegativeJitter {

		@RecurringJob(name = "run", fixedRate = "1m", jitter = "-1s")
		void run() {
		}

	}

	static class Misspelt {

		@RecurringJob(name = "run", cron = "0 60 3 * * *")
		void run() {
		}

	}

	static class Never {

		@RecurringJob(name = "run", cron = "0 0 0 30 2 *")
		void run() {
		}

	}

	static class WithZoneAndRate {

		@RecurringJob(name = "run", fixedRate = "1m", zone = "UTC")
		void run() {
		}

	}

	static class WithBoth {

		@RecurringJob(name = "run", cron = YEARLY, fixedRate = "1m")
		void run() {
		}

	}

	static class WithNeither {

		@RecurringJob(name = "run")
		void run() {
		}

	}

	static class AlsoScheduled {

		@Scheduled(cron = YEARLY)
		@RecurringJob(name = "run", cron = YEARLY)
		void run() {
		}

	}

	static class OfTooFewAttempts {

		@RecurringJob(name = "run", cron = YEARLY, maxAttempts = -2)
		void run() {
		}

	}

	static class WithBackoffWithoutUnit {

		@RecurringJob(name = "run", cron = YEARLY, backoff = "5")
		void run() {
		}

	}

	static class Failing {

		private final BlockingQueue<Boolean> transactions = new LinkedBlockingQueue<>();

		@RecurringJob(name = "three-attempts", cron = YEARLY, maxAttempts = 3, backoff = "1ms")
		void fail() {
			throw new IllegalStateException("always");
		}

		@RecurringJob(name = "at-most-once", cron = YEARLY, delivery = Delivery.AT_MOST_ONCE)
		void failOnce() {
			throw new IllegalStateException("always");
		}

		@RecurringJob(name = "too-long", cron = YEARLY, maxRunTime = "1ms", maxAttempts = 1)
		void sleep() throws InterruptedException {
			new CountDownLatch(1).await();
		}

		@RecurringJob(name = "in-a-transaction", cron = YEARLY, delivery = Delivery.TRANSACTIONAL)
		void record() {
			this.transactions.add(TransactionSynchronizationManager.isActualTransactionActive());
		}

	}

	static class Twice {

		@RecurringJob(name = "run", cron = YEARLY)
		void run() {
		}

		@RecurringJob(name = "run", fixedRate = "1m")
		void runAgain() {
		}

	}

	static class TwiceInOtherQueues {

		@RecurringJob(name = "run", cron = YEARLY, queue = "one")
		void run() {
		}

		@RecurringJob(name = "run", cron = YEARLY, queue = "other")
		void runAgain() {
		}

	}

	static class WithPlaceholders {

		@RecurringJob(name = "${my.name}", cron = "${my.cron}", zone = "${my.zone}", queue = "${my.queue}",
				jitter = "${my.jitter}")
		void run() {
		}

	}

	static class WithRatePlaceholder {

		@RecurringJob(name = "rate", fixedRate = "${my.fixedRate}")
		void run() {
		}

	}

	@JobHandler(queue = "housekeeping")
	static class Repeated {

		private final BlockingQueue<String> types = new LinkedBlockingQueue<>();

		@RecurringJob(name = "at-night", cron = "0 0 0 1 1 *")
		@RecurringJob(name = "at-noon", cron = "0 0 12 1 1 *")
		void run(JobContext job) {
			this.types.add(job.type());
		}

	}

	static class Unnamed {

		@RecurringJob(cron = YEARLY)
		void run() {
		}

	}

	static class EachSecond {

		private final BlockingQueue<Instant> ticks = new LinkedBlockingQueue<>();

		@RecurringJob(name = "each-second", fixedRate = "1s")
		void run(JobContext job) {
			this.ticks.add(job.scheduledAt());
		}

	}

}
