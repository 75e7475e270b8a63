package io.jobqueue.internal.kafka.consume;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import io.jobqueue.Delivery;
import io.jobqueue.JobBatch;
import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.internal.kafka.KafkaApplication;
import io.jobqueue.internal.kafka.consume.ConsumeTestBase.Order;
import io.jobqueue.internal.kafka.consume.ConsumeTestBase.Removable;

/**
 * An application whose handler does what its payload says, in this JVM or in one of its
 * own.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class DirectApplication {

	/**
	 * The runs of this JVM.
	 */
	static final List<Run> RUNS = new CopyOnWriteArrayList<>();

	/**
	 * The connections that this JVM has taken from its pool.
	 */
	static final AtomicInteger CONNECTIONS = new AtomicInteger();

	private static volatile boolean mayHalt;

	private static final Map<Integer, CountDownLatch> GATES = new ConcurrentHashMap<>();

	/**
	 * Run in a JVM of its own.
	 * @param settings the settings
	 */
	public static void main(String[] settings) {
		mayHalt = true;
		if (KafkaApplication.run(DirectApplication.class, settings).isRunning()) {
			System.out.println(KafkaApplication.STARTED);
		}
	}

	/**
	 * Let the handler of an order end that waits.
	 */
	static void open(int number) {
		gate(number).countDown();
	}

	private static CountDownLatch gate(int number) {
		return GATES.computeIfAbsent(number, (waiting) -> new CountDownLatch(1));
	}

	@Bean
	Handlers handlers() {
		return new Handlers();
	}

	@Bean
	static BeanPostProcessor countedConnections() {
		return new BeanPostProcessor() {

			@Override
			public Object postProcessAfterInitialization(Object bean, String name) {
				return (bean instanceof DataSource dataSource) ? new CountedConnections(dataSource) : bean;
			}

		};
	}

	/**
	 * The handlers.
	 */
	static class Handlers {

		@JobHandler(queue = "inbox")
		void handle(Order order, JobContext job) throws InterruptedException {
			RUNS.add(new Run(order.number(), job));
			String action = (order.action() != null) ? order.action() : "";
			switch (action) {
				case "halt" -> halt();
				case "wait" -> gate(order.number()).await();
				case "fail" -> throw new IllegalStateException("failed");
				case "fail once" -> failOnce(job);
				case "fail twice and wait" -> failTwiceAndWait(order.number());
				default -> {
				}
			}
		}

		@JobHandler(queue = "inbox")
		void remove(@Nullable Removable removable, JobContext job) {
			RUNS.add(new Run((removable != null) ? removable.number() : -1, job));
			failOnce(job);
		}

		@JobHandler(queue = "transactional", delivery = Delivery.TRANSACTIONAL)
		void transactional(Order order) {
		}

		@JobHandler(queue = "once", delivery = Delivery.AT_MOST_ONCE)
		void once(Order order) {
		}

		@JobHandler(queue = "batches", batchSize = 10)
		void batch(JobBatch<Order> orders) {
		}

		private static void halt() {
			if (mayHalt) {
				Runtime.getRuntime().halt(1);
			}
		}

		private static void failTwiceAndWait(int number) throws InterruptedException {
			if (RUNS.stream().filter((run) -> run.number() == number).count() <= 2) {
				throw new IllegalStateException("failed");
			}
			gate(number).await();
		}

		private static void failOnce(JobContext job) {
			if (job.attempt() == 1) {
				throw new IllegalStateException("failed once");
			}
		}

	}

	/**
	 * A run of the handler.
	 *
	 * @param number the number of the order
	 * @param job the job
	 */
	record Run(int number, JobContext job) {
	}

	private static final class CountedConnections extends DelegatingDataSource {

		CountedConnections(DataSource target) {
			super(target);
		}

		@Override
		public Connection getConnection() throws SQLException {
			CONNECTIONS.incrementAndGet();
			return super.getConnection();
		}

	}

}
