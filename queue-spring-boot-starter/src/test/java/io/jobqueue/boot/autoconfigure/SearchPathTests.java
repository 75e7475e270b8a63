package io.jobqueue.boot.autoconfigure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import javax.sql.DataSource;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.transaction.support.TransactionTemplate;

import io.jobqueue.Delivery;
import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.RecurringJobRequest;
import io.jobqueue.RecurringJobs;
import io.jobqueue.boot.MigratedDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The application sets the {@code search_path} of its connections to a schema that has
 * tables of the same names, such as a copy for a tenant. Jobs are where the start found
 * the tables.
 */
class SearchPathTests extends QueueTestBase {

	private static final String COPY = """
			DO $$
			DECLARE name text;
			BEGIN
			  CREATE SCHEMA tenant;
			  FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename LIKE 'jobqueue%' LOOP
			    EXECUTE format('CREATE TABLE tenant.%I (LIKE public.%I INCLUDING ALL)', name, name);
			  END LOOP;
			END
			$$
			""";

	private final ApplicationContextRunner application = this.contextRunner.withBean(TenantHandlers.class);

	SearchPathTests() {
		super(MigratedDatabase.create());
	}

	@BeforeEach
	void copyTables() {
		this.sql.sql(COPY).update();
	}

	@Test
	void transactionWithAPathOfItsOwnWritesToTheTablesOfTheQueue() {
		this.application.run((context) -> {
			JobQueue queue = context.getBean(JobQueue.class);
			context.getBean(TransactionTemplate.class).executeWithoutResult((status) -> {
				context.getBean(JdbcTemplate.class).execute("SET LOCAL search_path TO tenant");
				queue.enqueue("tenants", new Greeting("plain"));
				queue.enqueue(JobRequest.of("tenants", new Greeting("keyed")).key("k").orderedBy("o"));
				queue.batch("import").then(JobRequest.of("tenants", new Greeting("then"))).start().seal();
				context.getBean(RecurringJobs.class)
					.save(RecurringJobRequest.of("hourly", new Greeting("tick")).fixedRate(Duration.ofHours(1)));
			});
			awaitSucceeded(3);
			assertThat(count("public.jobqueue_recurring")).isOne();
			assertThat(count("tenant.jobqueue_recurring")).isZero();
			assertThat(count("tenant.jobqueue_job")).isZero();
		});
	}

	@Test
	void staleSearchPathOfAConnectionIsIgnored() {
		this.application.run((context) -> {
			leavePathBehind(context);
			for (int job = 0; job < 20; job++) {
				context.getBean(JobQueue.class).enqueue("tenants", new Greeting("plain"));
			}
			awaitSucceeded(20);
			assertThat(count("tenant.jobqueue_job")).isZero();
		});
	}

	private static void leavePathBehind(ApplicationContext context) throws Exception {
		DataSource dataSource = context.getBean(DataSource.class);
		List<AutoCloseable> open = new ArrayList<>();
		for (int connection = 0; connection < 2; connection++) {
			SingleConnectionDataSource one = new SingleConnectionDataSource(dataSource.getConnection(), true);
			new JdbcTemplate(one).execute("SET search_path TO tenant");
			open.add(one);
		}
		for (AutoCloseable one : open) {
			one.close();
		}
	}

	private void awaitSucceeded(int jobs) {
		await().untilAsserted(() -> assertThat(
				count("public.jobqueue_archive WHERE state = 'SUCCEEDED' AND queue = 'tenants' AND failures = 0"))
			.isEqualTo(jobs));
	}

	private long count(String table) {
		return this.sql.sql("SELECT count(*) FROM " + table).query(Long.class).single();
	}

	static class TenantHandlers {

		private final JdbcTemplate jdbc;

		TenantHandlers(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@JobHandler(queue = "tenants", delivery = Delivery.TRANSACTIONAL)
		void handle(Greeting greeting, JobContext job) {
			this.jdbc.execute("SET LOCAL search_path TO tenant");
		}

	}

}
