package io.jobqueue.sample;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.web.client.RestClientException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Kills the application again and again while people sign up.
 */
@Tag("slow") // kills JVMs
class SurvivesKillsTests {

	private static final int SIGNUPS = 160;

	private static final int KILLS = 2;

	/**
	 * Of every other life of the application; the mails of the others are all taken.
	 */
	private static final double FAILURE_RATE = 0.3;

	private static final int PEOPLE_AT_ONCE = 8;

	private static final Duration PATIENCE = Duration.ofMinutes(5);

	private final AtomicReference<SampleJvm> sample = new AtomicReference<>();

	private final AtomicInteger requests = new AtomicInteger();

	private final Set<Long> acknowledged = ConcurrentHashMap.newKeySet();

	@TempDir
	private Path dataFolder;

	@AfterEach
	void stopSample() {
		this.sample.get().close();
	}

	@Test
	void mailsEveryUserWhoseSignUpWasAcknowledged() throws Exception {
		start(0);
		ExecutorService people = Executors.newFixedThreadPool(PEOPLE_AT_ONCE);
		for (int person = 0; person < SIGNUPS; person++) {
			people.execute(() -> this.acknowledged.add(signUp()));
		}
		people.shutdown();
		for (int kill = 1; kill <= KILLS; kill++) {
			int enough = kill * SIGNUPS / (KILLS + 1);
			await().atMost(PATIENCE).until(() -> this.acknowledged.size() >= enough);
			this.sample.get().kill();
			start(kill % 2 * FAILURE_RATE);
		}
		assertThat(people.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
		await().atMost(PATIENCE).untilAsserted(() -> assertThat(signups("PENDING")).isEmpty());
		assertThat(this.acknowledged).hasSize(SIGNUPS).isSubsetOf(signups("MAILED"));
		assertThat(mailed()).containsAll(signups("MAILED"));
	}

	private void start(double failureRate) {
		this.sample.set(SampleJvm.start(this.dataFolder, "--sample.mail.failure-rate=" + failureRate,
				"--jobqueue.worker.heartbeat-interval=500ms", "--jobqueue.worker.timeout=2s",
				"--jobqueue.reaper.interval=500ms", "--jobqueue.defaults.backoff.type=fixed",
				"--jobqueue.defaults.backoff.delay=200ms"));
	}

	/**
	 * A client without an answer signs up again.
	 */
	private long signUp() {
		return await().pollDelay(Duration.ZERO)
			.atMost(PATIENCE)
			.ignoreExceptionsInstanceOf(RestClientException.class)
			.until(this::request, (id) -> true);
	}

	private long request() {
		int number = this.requests.incrementAndGet();
		return this.sample.get().client().signUp("Person " + number, "person-%d@example.org".formatted(number));
	}

	private List<Long> signups(String status) {
		return JdbcClient.create(new DriverManagerDataSource(this.sample.get().jdbcUrl(), "postgres", ""))
			.sql("SELECT id FROM signup WHERE status = :status")
			.param("status", status)
			.query(Long.class)
			.list();
	}

	private Set<Long> mailed() throws IOException {
		try (Stream<Path> mails = Files.list(this.dataFolder.resolve("mails"))) {
			return mails.map((mail) -> mail.getFileName().toString())
				.filter((name) -> name.endsWith(".eml"))
				.map((name) -> Long.valueOf(name.replaceFirst("signup-(\\d+)-.*", "$1")))
				.collect(Collectors.toSet());
		}
	}

}
