package io.jobqueue.docs;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

import io.jobqueue.Delivery;
import io.jobqueue.JobContext;
import io.jobqueue.JobHandler;
import io.jobqueue.JobQueue;
import io.jobqueue.JobResult;

/**
 * Handlers of every kind of delivery.
 */
@Component
class Deliveries {

	private final JdbcClient jdbc;

	private final JobQueue jobQueue;

	private final Payments payments = new Payments();

	private final Siren siren = new Siren();

	private final Printer printer = new Printer();

	private final List<Integer> pages = new CopyOnWriteArrayList<>();

	Deliveries(JdbcClient jdbc, JobQueue jobQueue) {
		this.jdbc = jdbc;
		this.jobQueue = jobQueue;
	}

	@JobHandler(queue = "payments")
	void handle(CardPayment payment, JobContext job) {
		this.payments.charge(payment.cents(), job.id());
	}

	@JobHandler(queue = "bookings", delivery = Delivery.TRANSACTIONAL)
	void handle(Booking booking) {
		this.jdbc.sql("UPDATE account SET cents = cents + ? WHERE id = ?")
			.param(booking.cents())
			.param(booking.account())
			.update();
		this.jobQueue.enqueue(new BookingNotice(booking.account()));
	}

	@JobHandler(queue = "alarms", delivery = Delivery.AT_MOST_ONCE)
	void handle(Alarm alarm) {
		this.siren.sound(alarm.building());
	}

	@JobHandler(queue = "reports", failOn = UnknownReport.class, succeedOn = AlreadyPrinted.class)
	JobResult handle(ReportWanted wanted) throws UnknownReport, AlreadyPrinted {
		if (!this.printer.isReady()) {
			return JobResult.snooze(Duration.ofMinutes(1));
		}
		this.printer.print(wanted.report());
		return JobResult.success();
	}

	@JobHandler(queue = "imports")
	void handle(Import wanted, JobContext job) {
		for (int page = 0; page < wanted.pages(); page++) {
			job.extend(Duration.ofMinutes(5));
			load(page);
		}
	}

	private void load(int page) {
		this.pages.add(page);
	}

	Map<UUID, Long> charged() {
		return this.payments.charged;
	}

	Set<String> sounded() {
		return this.siren.sounded;
	}

	List<Integer> loaded() {
		return this.pages;
	}

	/**
	 * A service that knows idempotency keys.
	 */
	private static final class Payments {

		private final Map<UUID, Long> charged = new ConcurrentHashMap<>();

		void charge(long cents, UUID idempotencyKey) {
			this.charged.putIfAbsent(idempotencyKey, cents);
		}

	}

	/**
	 * Something that is heard.
	 */
	private static final class Siren {

		private final Set<String> sounded = ConcurrentHashMap.newKeySet();

		void sound(String building) {
			this.sounded.add(building);
		}

	}

	/**
	 * Knows one report.
	 */
	private static final class Printer {

		private boolean printed;

		boolean isReady() {
			return true;
		}

		synchronized void print(String report) throws UnknownReport, AlreadyPrinted {
			if (!report.equals("sales")) {
				throw new UnknownReport();
			}
			if (this.printed) {
				throw new AlreadyPrinted();
			}
			this.printed = true;
		}

	}

	/**
	 * There is no such report.
	 */
	@SuppressWarnings("serial")
	static class UnknownReport extends Exception {

	}

	/**
	 * There is nothing left to do.
	 */
	@SuppressWarnings("serial")
	static class AlreadyPrinted extends Exception {

	}

}
