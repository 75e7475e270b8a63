package io.jobqueue.internal.kafka;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

import io.jobqueue.JobQueue;
import io.jobqueue.JobRequest;
import io.jobqueue.internal.store.postgresql.schema.SchemaMigration;
import io.jobqueue.testpostgres.KafkaCluster;
import io.jobqueue.testpostgres.TestDatabase;
import io.jobqueue.testpostgres.TestPostgres;

/**
 * Applications that relay the queue {@code orders} to a topic of a real broker.
 */
@Tag("slow") // starts a broker
public abstract class KafkaTestBase {

	protected static final KafkaCluster BROKER = new KafkaCluster();

	private static final TestDatabase DATABASE = TestPostgres.sharedCopyOf("migrated",
			(database) -> new SchemaMigration(database.directDataSource(), null, true).afterPropertiesSet());

	protected final JdbcClient sql = JdbcClient.create(DATABASE.dataSource());

	@AfterEach
	protected void empty() {
		String tables = this.sql
			.sql("""
					SELECT string_agg(quote_ident(relname), ', ') FROM pg_class
					WHERE relkind = 'r' AND relname LIKE 'jobqueue%' AND relname NOT IN ('jobqueue_version', 'jobqueue_schema_history')
					  AND relnamespace = current_schema()::regnamespace
					""")
			.query(String.class)
			.single();
		this.sql.sql("TRUNCATE " + tables).update();
	}

	protected static ConfigurableApplicationContext relay(String topic, String... settings) {
		String[] own = { "jobqueue.queues.orders.relay.to=kafka", "jobqueue.queues.orders.relay.topic=" + topic };
		return run(Stream.of(own, settings).flatMap(Arrays::stream).toArray(String[]::new));
	}

	protected static ConfigurableApplicationContext run(String... settings) {
		return KafkaApplication.run(withServers(settings));
	}

	protected static String[] withServers(String... settings) {
		String[] own = { "spring.datasource.url=" + DATABASE.jdbcUrl(),
				"spring.datasource.username=" + DATABASE.username(),
				"spring.datasource.password=" + DATABASE.password(),
				"spring.kafka.bootstrap-servers=" + BROKER.address() };
		return Stream.of(own, settings).flatMap(Arrays::stream).toArray(String[]::new);
	}

	protected static void enqueue(ConfigurableApplicationContext application, JobRequest... requests) {
		application.getBean(JobQueue.class).enqueueAll(List.of(requests));
	}

	protected static JobRequest order(int number) {
		return JobRequest.of("orders", String.valueOf(number)).type("order");
	}

	protected static String value(ConsumerRecord<byte[], byte[]> message) {
		return new String(message.value(), StandardCharsets.UTF_8);
	}

	protected static List<String> values(String topic) {
		return BROKER.records(topic).stream().map(KafkaTestBase::value).toList();
	}

	protected static @Nullable String header(ConsumerRecord<byte[], byte[]> message, String name) {
		return (message.headers().lastHeader(name) != null)
				? new String(message.headers().lastHeader(name).value(), StandardCharsets.UTF_8) : null;
	}

	/**
	 * Return how many jobs have succeeded.
	 */
	protected long succeeded() {
		return this.sql.sql("SELECT count(*) FROM jobqueue_archive WHERE state = 'SUCCEEDED'")
			.query(Long.class)
			.single();
	}

	/**
	 * Return the values of the jobs with failed attempts, each with its last error.
	 */
	protected Map<String, String> failures() {
		Map<String, String> failures = new TreeMap<>();
		this.sql.sql("SELECT payload, last_error FROM jobqueue_jobs WHERE failures > 0").query((row) -> {
			failures.put(row.getString("payload"), row.getString("last_error"));
		});
		return failures;
	}

}
