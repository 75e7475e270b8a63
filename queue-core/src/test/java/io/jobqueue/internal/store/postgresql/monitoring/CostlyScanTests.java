package io.jobqueue.internal.store.postgresql.monitoring;

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

import io.jobqueue.internal.store.MonitoringStore.GaugeSnapshot;
import io.jobqueue.internal.store.MonitoringStore.TierSnapshot;
import io.jobqueue.internal.store.postgresql.jobs.StoreTestBase;
import io.jobqueue.internal.store.postgresql.transaction.QueueTransaction;
import io.jobqueue.internal.store.postgresql.transaction.Schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Where a scan begins if full scans are costly, as all are here.
 */
class CostlyScanTests extends StoreTestBase {

	private static final Duration NEVER = Duration.ofDays(1);

	private static final Duration ALWAYS = Duration.ofNanos(-1);

	private long now;

	private PostgresMonitoringStore gauges;

	/**
	 * The first of two costly scans.
	 */
	@BeforeEach
	void scanOnce() {
		this.gauges = gauges(ALWAYS);
		scan();
	}

	private PostgresMonitoringStore gauges(Duration costly) {
		return new PostgresMonitoringStore(new QueueTransaction(this.dataSource, new Schema(null)), costly,
				() -> this.now);
	}

	@Test
	void continuedScanFindsWhatAFullScanFinds() {
		enqueue("emails", 3);
		waitingFor(Duration.ofSeconds(90));
		scan();
		assertThat(scanOfOnly().maxAge()).isBetween(Duration.ofSeconds(90), Duration.ofSeconds(120));
		assertThat(counted().counts().ready().jobs()).isEqualTo(3);
	}

	@Test
	void firstJobsOfAllAreSeenAtOnce() {
		scan();
		enqueue("emails", 1);
		assertThat(scanOfOnly().maxAge()).isNotNull();
		assertThat(counted().counts().ready().jobs()).isEqualTo(1);
	}

	@Test
	void positionMovesOn() {
		List<UUID> jobs = enqueue("emails", 2);
		waitingFor(Duration.ofSeconds(90));
		scan();
		finish(jobs.get(0));
		assertThat(scanOfOnly().maxAge()).isBetween(Duration.ofSeconds(90), Duration.ofSeconds(120));
		this.sql.sql("UPDATE jobqueue_job SET run_at = now() - interval '1 second' WHERE id = ?")
			.param(jobs.get(1))
			.update();
		assertThat(scanOfOnly().maxAge()).isLessThan(Duration.ofSeconds(60));
	}

	@Test
	void jobsBeforeThePositionAreMissedUntilTheNextFullScan() {
		enqueue("emails", 1);
		scan();
		insertWaitingForAnHour();
		assertThat(scanOfOnly().maxAge()).isLessThan(Duration.ofMinutes(1));
		assertThat(counted().counts().ready().jobs()).isEqualTo(1);
		pass(TierScanCache.FULL_SCAN_INTERVAL);
		assertThat(scanOfOnly().maxAge()).isGreaterThan(Duration.ofMinutes(59));
		assertThat(counted().counts().ready().jobs()).isEqualTo(2);
	}

	@Test
	void tierThatWasEmptyInOneScanIsStillScanned() {
		UUID job = enqueue(job("emails", 10));
		scan();
		finish(job);
		pass(TierScanCache.FULL_SCAN_INTERVAL);
		assertThat(scanOfOnly().maxAge()).isNull();
		enqueue("emails", 2);
		assertThat(scanOfOnly().maxAge()).isNotNull();
		assertThat(counted().counts().ready().jobs()).isEqualTo(2);
	}

	@Test
	void newTiersAreMissedUntilTheNextFullScan() {
		enqueue(job("emails", 10));
		scan();
		enqueue(job("emails", 5));
		assertThat(scan()).extracting(TierSnapshot::priority).containsExactly(10);
		pass(TierScanCache.FULL_SCAN_INTERVAL);
		assertThat(scan()).extracting(TierSnapshot::priority).containsExactlyInAnyOrder(5, 10);
	}

	@Test
	void oneCostlyScanMayBeTheMachines() {
		this.gauges = gauges(ALWAYS);
		enqueue(job("emails", 10));
		scan();
		enqueue(job("emails", 5));
		assertThat(scan()).extracting(TierSnapshot::priority).containsExactlyInAnyOrder(5, 10);
	}

	@Test
	void runningJobsAreCountedWhereverTheyAre() {
		enqueue("emails", 5);
		claim(worker(), request("emails", 2));
		scan();
		TierSnapshot tier = counted();
		assertThat(tier.counts().running().jobs()).isEqualTo(2);
		assertThat(tier.counts().ready().jobs()).isEqualTo(3);
		UUID later = worker();
		claim(later, request("emails", 1));
		assertThat(counted().counts().ready().jobs()).isEqualTo(2);
	}

	@Test
	void nothingIsMissedIfScansAreCheap() {
		this.gauges = gauges(NEVER);
		enqueue("emails", 1);
		scan();
		insertWaitingForAnHour();
		enqueue(job("emails", 5));
		assertThat(scan()).hasSize(2).anyMatch((tier) -> tier.maxAge().compareTo(Duration.ofMinutes(59)) > 0);
	}

	@Test
	void abortedScanIsFollowedByOneThatContinuesThePrevious() {
		SlowScans scans = new SlowScans(this.dataSource);
		this.gauges = new PostgresMonitoringStore(new QueueTransaction(scans, new Schema(null)), ALWAYS,
				() -> this.now);
		enqueue("emails", 1);
		waitingFor(Duration.ofSeconds(90));
		assertThat(this.gauges.read(Set.of("emails")).complete()).isTrue();
		enqueue(job("faxes", 5));
		scans.slow = true;
		pass(TierScanCache.FULL_SCAN_INTERVAL);
		GaugeSnapshot reading = this.gauges.read(Set.of("emails"));
		assertThat(reading.complete()).isFalse();
		assertThat(reading.isAllOf("emails")).isFalse();
		assertThat(reading.tiers()).singleElement().satisfies((tier) -> {
			assertThat(tier.queue()).isEqualTo("emails");
			assertThat(tier.maxAge()).isGreaterThanOrEqualTo(Duration.ofSeconds(90));
			assertThat(tier.counts()).isNotNull();
		});
		assertThat(scans.aborted).isOne();
		scan();
		assertThat(scans.aborted).as("scans within a minute").isOne();
		assertThat(this.gauges.scan(Set.of("emails", "faxes")).isAllOf("faxes")).isFalse();
		assertThat(scans.aborted).as("scans of more queues").isOne();
		scans.slow = false;
		pass(TierScanCache.FULL_SCAN_INTERVAL);
		assertThat(scan()).extracting(TierSnapshot::queue).containsExactlyInAnyOrder("emails", "faxes");
	}

	@Test
	void firstScanThatIsAbortedFails() {
		SlowScans scans = new SlowScans(this.dataSource);
		this.gauges = new PostgresMonitoringStore(new QueueTransaction(scans, new Schema(null)), ALWAYS,
				() -> this.now);
		enqueue("emails", 1);
		scans.slow = true;
		assertThatExceptionOfType(QueryTimeoutException.class).isThrownBy(() -> this.gauges.scan(Set.of("emails")));
	}

	@Test
	void namedQueuesAreScannedUnlessAllTiersWereRead() {
		enqueue("emails", 1);
		this.jobs
			.enqueue(IntStream.range(0, PostgresMonitoringStore.TIER_CAP).mapToObj((n) -> job("a" + n, 10)).toList());
		enqueue(job("faxes", 5));
		assertThat(this.gauges.scan(Set.of("emails")).isAllOf("faxes")).isFalse();
		GaugeSnapshot reading = this.gauges.scan(Set.of("faxes"));
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

	private List<TierSnapshot> scan() {
		return this.gauges.scan(Set.of()).tiers();
	}

	private TierSnapshot scanOfOnly() {
		assertThat(scan()).hasSize(1);
		return scan().get(0);
	}

	private TierSnapshot counted() {
		return this.gauges.read(Set.of()).tiers().get(0);
	}

	/**
	 * Makes full scans take too long, as millions of dead rows do.
	 */
	private static final class SlowScans extends DelegatingDataSource {

		private boolean slow;

		private int aborted;

		SlowScans(DataSource dataSource) {
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
			this.aborted++;
			return sql.replace("'5s'", "'50ms'")
				.replace("SELECT t.queue, t.priority,", "SELECT pg_sleep(10), t.queue, t.priority,");
		}

	}

}
