package io.jobqueue.benchmark.cost;

import java.util.List;
import java.util.stream.Stream;

import io.jobqueue.benchmark.frame.Bar;
import io.jobqueue.benchmark.frame.Contender;
import io.jobqueue.benchmark.frame.Result;
import io.jobqueue.benchmark.frame.Samples;
import io.jobqueue.benchmark.frame.Scenario;
import io.jobqueue.benchmark.frame.Workbench;
import io.jobqueue.benchmark.plain.PlainParcels;
import io.jobqueue.benchmark.plain.PlainSql;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.subject.MeasuredSystem;
import io.jobqueue.benchmark.subject.ParcelSystem;
import io.jobqueue.benchmark.transactional.Transactional;

/**
 * What a job with a payload of 100 bytes costs the server, beside plain SQL that does the
 * same: the time of a processor in all processes of the server, and bytes of write-ahead
 * log.
 * <p>
 * The figures of both sides are those of a job, and of a step: {@code bulk} enqueues
 * 1,000 jobs in a transaction, {@code tx} one job and a business row; {@code archive}
 * runs a job from its claim to the archive, {@code gone} until it is deleted,
 * {@code transactional} runs a handler that inserts a business row in the transaction
 * that archives its job. {@code vacuum} removes the dead rows of {@code archive} later.
 * {@code value}, {@code floor} and {@code bytes} are {@code bulk} and {@code archive}
 * together. No page is written to the log as a whole, except for a few of the server's
 * own, which {@code full_pages} counts over all rounds: each round begins with a
 * checkpoint, and then with new files.
 */
public final class Cost implements Scenario {

	private static final int JOBS = 100_000;

	private static final int TRANSACTIONS = 20_000;

	private static final String PLAIN = "plain_";

	private static final double BYTES_BAR = 1_000;

	@Override
	public String name() {
		return "cost";
	}

	@Override
	public String measures() {
		return "processor time of the server and bytes of its log per job, in each step of a job";
	}

	@Override
	public List<Bar> bars() {
		return List.of(Bar.atMost("bytes", BYTES_BAR));
	}

	@Override
	public Result run(Workbench workbench) throws Exception {
		BenchmarkDatabase database = workbench.database();
		database.execute(PlainSql.CREATE_BUSINESS);
		Meter meter = new Meter(database);
		try (QueueParcels archiving = QueueParcels.of(database, "24h");
				QueueParcels deleting = QueueParcels.of(database, "0");
				MeasuredSystem transactional = Transactional.queue(database);
				PlainParcels plainArchiving = PlainParcels.of(database, PlainSql.ARCHIVE);
				PlainParcels plainDeleting = PlainParcels.of(database, PlainSql.DELETE);
				MeasuredSystem plainTransactional = Transactional.plain(database)) {
			Samples samples = workbench.alternateAtOnce(
					Contender.value(side(workbench, meter, "", archiving, deleting, transactional)),
					Contender.floor(side(workbench, meter, PLAIN, plainArchiving, plainDeleting, plainTransactional)));
			return meter.addTo(result(meter, samples), names());
		}
	}

	private static Contender.Measurement side(Workbench workbench, Meter meter, String side, ParcelSystem archiving,
			ParcelSystem deleting, MeasuredSystem transactional) {
		Steps steps = new Steps(workbench.database(), meter, side);
		int jobs = workbench.scaled(JOBS);
		return () -> {
			steps.delete(deleting, jobs);
			steps.enqueue(archiving, workbench.scaled(TRANSACTIONS));
			steps.handle(transactional, workbench.scaled(TRANSACTIONS));
			return steps.archive(archiving, jobs);
		};
	}

	private static Result result(Meter meter, Samples samples) {
		return Result.of("us", samples).with("bytes", bytes(meter, "")).with("plain_bytes", bytes(meter, PLAIN));
	}

	private static double bytes(Meter meter, String side) {
		return meter.median(side + Steps.BULK + Meter.BYTES) + meter.median(side + Steps.ARCHIVE + Meter.BYTES);
	}

	private static String[] names() {
		return Stream.of(Steps.BULK, Steps.TRANSACTION, Steps.ARCHIVE, Steps.GONE, Steps.TRANSACTIONAL, Steps.VACUUM)
			.flatMap((step) -> Stream.of(step, PLAIN + step))
			.toArray(String[]::new);
	}

}
