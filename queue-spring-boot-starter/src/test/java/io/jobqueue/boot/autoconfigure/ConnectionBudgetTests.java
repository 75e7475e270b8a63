package io.jobqueue.boot.autoconfigure;

import java.time.Duration;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import io.jobqueue.Delivery;
import io.jobqueue.InvalidConfigurationException;
import io.jobqueue.JobHandler;
import io.jobqueue.JobInterceptor;
import io.jobqueue.boot.autoconfigure.HooksConfiguration.ObservedNames;
import io.jobqueue.internal.boot.settings.BoundSettings;
import io.jobqueue.internal.boot.settings.ConfiguredQueues;
import io.jobqueue.internal.handler.JobHandlers;
import io.jobqueue.internal.outbox.RequestReader;
import io.jobqueue.internal.payload.JacksonPayloadCodec;
import io.jobqueue.internal.payload.JobTypes;
import io.jobqueue.internal.payload.PayloadCodecs;
import io.jobqueue.internal.store.postgresql.schema.TransactionTimeouts;
import io.jobqueue.observation.Interceptors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@ExtendWith(OutputCaptureExtension.class)
class ConnectionBudgetTests {

	private static final int WANTED = 16;

	private final JobHandlers handlers = handlers();

	@BeforeAll
	static void enableInfoLogging() {
		LoggingSystem.get(ConnectionBudget.class.getClassLoader())
			.setLogLevel(ConnectionBudget.class.getName(), LogLevel.INFO);
	}

	@AfterAll
	static void resetLogging() {
		LoggingSystem.get(ConnectionBudget.class.getClassLoader()).setLogLevel(ConnectionBudget.class.getName(), null);
	}

	private static Interceptors unobserved(DefaultListableBeanFactory beans) {
		return new Interceptors(beans.getBeanProvider(JobInterceptor.class), ObservationRegistry.NOOP,
				new ObservedNames(beans.getBeanProvider(RequestReader.class), beans.getBeanProvider(NodeNames.class)),
				null, null);
	}

	private static JobHandlers handlers() {
		DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
		beans.registerSingleton("transfers", new Transfers());
		JobHandlers handlers = new JobHandlers(beans, new JobTypes(),
				new PayloadCodecs(new JacksonPayloadCodec(new JsonMapper())), unobserved(beans));
		handlers.afterSingletonsInstantiated();
		return handlers;
	}

	@Test
	void transactionalQueuesShareHalfOfTheConnections(CapturedOutput output) {
		ConnectionBudget budget = budget(OptionalInt.of(10), null);
		assertThat(budget.settings("transfers").concurrency()).isEqualTo(2);
		assertThat(budget.settings("refunds").concurrency()).isEqualTo(2);
		assertThat(output).contains("INFO")
			.doesNotContain("WARN")
			.contains(
					"Queue transfers runs 2 handlers at a time instead of 16: each transactional handler holds a connection, and jobqueue.worker.transactional-share limits them to a share of 0.5 of the pool's 10 connections. "
							+ "Lower 'jobqueue.queues.transfers.concurrency', enlarge the pool, raise the share, or give other handlers a queue of their own");
	}

	@Test
	void concurrencyThatTheApplicationSetsIsWarnedOf(CapturedOutput output) {
		budget(OptionalInt.of(10), 0.5, null, 20).settings("transfers");
		assertThat(output).contains("WARN").contains("Queue transfers runs 2 handlers at a time instead of 20");
	}

	@ParameterizedTest
	@CsvSource({ "10,1,9", "10,0.8,8", "10,0.5,5", "10,0.01,1", "3,0.5,1", "2,1,1" })
	void shareIsConfigurable(int pool, double share, int handlers) {
		assertThat(budget(OptionalInt.of(pool), share, Set.of("transfers")).settings("transfers").concurrency())
			.isEqualTo(handlers);
	}

	@Test
	void everyQueueHasOneHandlerAtLeast() {
		ConnectionBudget budget = budget(OptionalInt.of(3), null);
		assertThat(budget.settings("transfers").concurrency()).isOne();
		assertThat(budget.settings("refunds").concurrency()).isOne();
	}

	@ParameterizedTest
	@ValueSource(doubles = { 0, -0.5, 1.1, Double.NaN })
	void shareMustBePossible(double share) {
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> budget(OptionalInt.of(10), share, null))
			.withMessage("The setting 'jobqueue.worker.transactional-share' is %s. Set a share above 0 and up to 1.",
					share);
	}

	@Test
	void otherQueuesKeepTheirConcurrency() {
		ConnectionBudget budget = budget(OptionalInt.of(10), null);
		assertThat(budget.settings("mails").concurrency()).isEqualTo(WANTED);
	}

	@Test
	void oneHandlerIsSingular(CapturedOutput output) {
		budget(OptionalInt.of(2), Set.of("transfers")).settings("transfers");
		assertThat(output).contains("Queue transfers runs 1 handler at a time instead of 16");
		assertThatExceptionOfType(InvalidConfigurationException.class)
			.isThrownBy(() -> budget(OptionalInt.of(1), Set.of("transfers")).settings("transfers"))
			.withMessageContaining("transactional handlers of 1 queue hold");
	}

	@Test
	void queuesThatAreNotServedHereTakeNoShare() {
		ConnectionBudget budget = budget(OptionalInt.of(10), Set.of("transfers"));
		assertThat(budget.settings("transfers").concurrency()).isEqualTo(5);
	}

	/**
	 * The worker describes them with their settings nevertheless.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "mails", "refunds" })
	void queuesThatAreNotServedHereAreNotLimited(String served, CapturedOutput output) {
		ConnectionBudget budget = budget(OptionalInt.of(10), Set.of(served));
		assertThat(budget.settings("transfers").concurrency()).isEqualTo(WANTED);
		assertThat(output).doesNotContain("Queue transfers runs");
	}

	@Test
	void largePoolLimitsNothing(CapturedOutput output) {
		ConnectionBudget budget = budget(OptionalInt.of(4 * WANTED), null);
		assertThat(budget.settings("transfers").concurrency()).isEqualTo(WANTED);
		assertThat(output).doesNotContain("at a time instead of");
	}

	@Test
	void poolOfUnknownSizeLimitsNothing() {
		assertThat(budget(OptionalInt.empty(), null).settings("transfers").concurrency()).isEqualTo(WANTED);
	}

	@Test
	void poolThatIsTooSmallIsRefused() {
		ConnectionBudget budget = budget(OptionalInt.of(2), null);
		assertThatExceptionOfType(InvalidConfigurationException.class).isThrownBy(() -> budget.settings("transfers"))
			.withMessageContaining("has a size of 2, but transactional handlers of 2 queues hold a connection each")
			.withMessageContaining("at least 3 connections");
	}

	private ConnectionBudget budget(OptionalInt poolSize, @Nullable Set<String> served) {
		return budget(poolSize, BoundSettings.properties().worker().transactionalShare(), served);
	}

	@Test
	void timeoutOfTheServerBelowTheMaximumRunTimeIsWarnedOf(CapturedOutput output) {
		ConnectionBudget budget = budget(OptionalInt.empty(), 0.5, null, WANTED, new TransactionTimeouts(
				Map.of("transaction_timeout", Duration.ofMinutes(5), "another", Duration.ofMinutes(30))));
		assertThat(budget.settings("transfers").concurrency()).isEqualTo(WANTED);
		assertThat(budget.settings("mails").concurrency()).isEqualTo(WANTED);
		assertThat(output).containsOnlyOnce("can end their transactions earlier")
			.contains(
					"Transactional handlers of queue transfers may run for 30m (max-run-time), but the server's transaction_timeout of 5m can end their transactions earlier");
	}

	private ConnectionBudget budget(OptionalInt poolSize, double share, @Nullable Set<String> served) {
		return budget(poolSize, share, served, WANTED);
	}

	private ConnectionBudget budget(OptionalInt poolSize, double share, @Nullable Set<String> served, int wanted) {
		return budget(poolSize, share, served, wanted, TransactionTimeouts.NONE);
	}

	private ConnectionBudget budget(OptionalInt poolSize, double share, @Nullable Set<String> served, int wanted,
			TransactionTimeouts timeouts) {
		ConfiguredQueues queues = BoundSettings.node("jobqueue.defaults.concurrency=" + wanted).queues();
		return new ConnectionBudget(poolSize, share, timeouts, this.handlers, served, queues::settings);
	}

	static final class Transfers {

		@JobHandler(queue = "transfers", type = "transfer", delivery = Delivery.TRANSACTIONAL)
		void transfer(String payload) {
		}

		@JobHandler(queue = "refunds", type = "refund", delivery = Delivery.TRANSACTIONAL)
		void refund(String payload) {
		}

		@JobHandler(queue = "mails", type = "mail")
		void mail(String payload) {
		}

	}

}
