package io.jobqueue.store.postgresql.monitoring;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import io.jobqueue.store.MonitoringStore.GaugeSnapshot;
import io.jobqueue.store.MonitoringStore.TierSnapshot;
import io.jobqueue.store.postgresql.jobs.StoreTestBase;
import io.jobqueue.store.postgresql.transaction.Schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Where the gauges begin to look while looking from the start is costly, which it always
 * is here.
 */
class CostlyScanTests extends StoreTestBase {

	private static final Duration NEVER = Duration.ofDays(1);

	private static final Duration ALWAYS = Duration.ofNanos(-1);

	private long now;

	private PostgresMonitoringStore gauges;

	@BeforeEach
	void forget() {
		this.gauges = gauges(ALWAYS);
	}

	private PostgresMonitoringStore gauges(Duration costly) {
		return new PostgresMonitoringStore(this.dataSource, new Schema(null), costly, () -> this.now);
	}

	@Test
	void continuedLookFindsWhatAFullOneFinds() {
		enqueue("emails", 3);
		waitingFor(Duration.ofSeconds(90));
		look();
		assertThat(lookAtOnly().maxAge()).isBetween(Duration.ofSeconds(90), Duration.ofSeconds(120));
		assertThat(counted().counts().ready().jobs()).isEqualTo(3);
	}

	@Test
	void firstJobsOfAllAreSeenAtOnce() {
		look();
		enqueue("emails", 1);
		assertThat(lookAtOnly().maxAge()).isNotNull();
		assertThat(counted().counts().ready().jobs()).isEqualTo(1);
	}

	@Test
	void placeMovesOn() {
		List<UUID> jobs = enqueue("emails", 2);
		waitingFor(Duration.ofSeconds(90));
		look();
		finish(jobs.get(0));
		assertThat(lookAtOnly().maxAge()).isBetween(Duration.ofSeconds(90), Duration.ofSeconds(120));
		this.sql.sql("UPDATE jobqueue_job SET run_at = now() - interval '1 second' WHERE id = ?")
			.param(jobs.get(1))
			.update();
		assertThat(lookAtOnly().maxAge()).isLessThan(Duration.ofSeconds(60));
	}

	@Test
	void jobsBelowThePlaceAreMissedUntilTheNextFullLook() {
		enqueue("emails", 1);
		look();
		insertWaitingForAnHour();
		assertThat(lookAtOnly().maxAge()).isLessThan(Duration.ofMinutes(1));
		assertThat(counted().counts().ready().jobs()).isEqualTo(1);
		pass(TierScanCache.FULL_LOOK_INTERVAL);
		assertThat(lookAtOnly().maxAge()).isGreaterThan(Duration.ofMinutes(59));
		assertThat(counted().counts().ready().jobs()).isEqualTo(2);
	}

	@Test
	void laneThatWasEmptyForAMomentIsStillLookedAt() {
		UUID job = enqueue(job("emails", 10));
		look();
		finish(job);
		pass(TierScanCache.FULL_LOOK_INTERVAL);
		assertThat(lookAtOnly().maxAge()).isNull();
		enqueue("emails", 2);
		assertThat(lookAtOnly().maxAge()).isNotNull();
		assertThat(counted().counts().ready().jobs()).isEqualTo(2);
	}

	@Test
	void newLanesAreMissedUntilTheNextFullLook() {
		enqueue(job("emails", 10));
		look();
		enqueue(job("emails", 5));
		assertThat(look()).extracting(TierSnapshot::priority).containsExactly(10);
		pass(TierScanCache.FULL_LOOK_INTERVAL);
		assertThat(look()).extracting(TierSnapshot::priority).containsExactlyInAnyOrder(5, 10);
	}

	@Test
	void runningJobsAreCountedWhereverTheyAre() {
		enqueue("emails", 5);
		claim(worker(), demand("emails", 2));
		look();
		TierSnapshot tier = counted();
		assertThat(tier.counts().running().jobs()).isEqualTo(2);
		assertThat(tier.counts().ready().jobs()).isEqualTo(3);
		UUID later = worker();
		claim(later, demand("emails", 1));
		assertThat(counted().counts().ready().jobs()).isEqualTo(2);
	}

	@Test
	void nothingIsMissedWhereLooksAreCheap() {
		this.gauges = gauges(NEVER);
		enqueue("emails", 1);
		look();
		insertWaitingForAnHour();
		enqueue(job("emails", 5));
		assertThat(look()).hasSize(2).anyMatch((tier) -> tier.maxAge().compareTo(Duration.ofMinutes(59)) > 0);
	}

	@Test
	void lookThatIsGivenUpGoesOnFromWhereTheLastOneWas() {
		SlowLooks looks = new SlowLooks(this.dataSource);
		this.gauges = new PostgresMonitoringStore(looks, new Schema(null), ALWAYS, () -> this.now);
		enqueue("emails", 1);
		waitingFor(Duration.ofSeconds(90));
		assertThat(this.gauges.read(Set.of("emails")).complete()).isTrue();
		enqueue(job("faxes", 5));
		looks.slow = true;
		pass(TierScanCache.FULL_LOOK_INTERVAL);
		GaugeSnapshot reading = this.gauges.read(Set.of("emails"));
		assertThat(reading.complete()).isFalse();
		assertThat(reading.isAllOf("emails")).isFalse();
		assertThat(reading.tiers()).singleElement().satisfies((tier) -> {
			assertThat(tier.queue()).isEqualTo("emails");
			assertThat(tier.maxAge()).isGreaterThanOrEqualTo(Duration.ofSeconds(90));
			assertThat(tier.counts()).isNotNull();
		});
		assertThat(looks.givenUp).isOne();
		look();
		assertThat(looks.givenUp).as("looks within a minute").isOne();
		assertThat(this.gauges.look(Set.of("emails", "faxes")).isAllOf("faxes")).isFalse();
		assertThat(looks.givenUp).as("looks at more queues").isOne();
		looks.slow = false;
		pass(TierScanCache.FULL_LOOK_INTERVAL);
		assertThat(look()).extracting(TierSnapshot::queue).containsExactlyInAnyOrder("emails", "faxes");
	}

	@Test
	void lookThatIsGivenUpAtOnceTellsNothing() {
		SlowLooks looks = new SlowLooks(this.dataSource);
		this.gauges = new PostgresMonitoringStore(looks, new Schema(null), ALWAYS, () -> this.now);
		enqueue("emails", 1);
		looks.slow = true;
		assertThatExceptionOfType(QueryTimeoutException.class).isThrownBy(() -> this.gauges.look(Set.of("emails")));
	}

	@Test
	void furtherQueuesAreLookedForUnlessAllWereMet() {
		enqueue("emails", 1);
		this.jobs
			.enqueue(IntStream.range(0, PostgresMonitoringStore.TIER_CAP).mapToObj((n) -> job("a" + n, 10)).toList());
		enqueue(job("faxes", 5));
		assertThat(this.gauges.look(Set.of("emails")).isAllOf("faxes")).isFalse();
		GaugeSnapshot reading = this.gauges.look(Set.of("faxes"));
		assertThat(reading.isAllOf("faxes")).isTrue();
		assertThat(reading.tiers()).extracting(TierSnapshot::queue).contains("faxes");
	}

	private void waitingFor(Duration age) {
		this.sql.sql("UPDATE jobqueue_job SET run_at = now() - ? * interval '1 second'")
			.param(age.toSeconds())
			.update();
	}

	private void insertWaitingForAnHour() {
		this.sql.sql("""
				INSERT INTO jobqueue_job (id, run_at, created_at, priority, queue, type, payload)
				VALUES (gen_random_uuid(), now() - interval '1 hour', now(), 10, 'emails', 'mail', '{}')
				""").update();
	}

	private void finish(UUID job) {
		this.sql.sql("DELETE FROM jobqueue_job WHERE id = ?").param(job).update();
	}

	private void pass(Duration time) {
		this.now += time.toNanos();
	}

	private List<TierSnapshot> look() {
		return this.gauges.look(Set.of()).tiers();
	}

	private TierSnapshot lookAtOnly() {
		assertThat(look()).hasSize(1);
		return look().get(0);
	}

	private TierSnapshot counted() {
		return this.gauges.read(Set.of()).tiers().get(0);
	}

	/**
	 * Has full looks take too long, as behind millions of dead rows.
	 */
	private static final class SlowLooks extends DelegatingDataSource {

		private boolean slow;

		private int givenUp;

		SlowLooks(DataSource dataSource) {
			super(dataSource);
		}

		@Override
		public Connection getConnection() throws SQLException {
			Connection connection = super.getConnection();
			return (Connection) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Connection.class },
					(proxy, method, arguments) -> method.getName().equals("prepareStatement")
							? connection.prepareStatement(sql((String) arguments[0]))
							: method.invoke(connection, arguments));
		}

		private String sql(String sql) {
			if (!this.slow || !sql.contains("RECURSIVE met")) {
				return sql;
			}
			this.givenUp++;
			return sql.replace("'5s'", "'50ms'")
				.replace("SELECT t.queue, t.priority,", "SELECT pg_sleep(10), t.queue, t.priority,");
		}

	}

}
