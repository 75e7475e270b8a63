package io.jobqueue.benchmark.drain;

import java.util.Arrays;
import java.util.List;

import io.jobqueue.benchmark.frame.Bar;
import io.jobqueue.benchmark.frame.Contender;
import io.jobqueue.benchmark.frame.Result;
import io.jobqueue.benchmark.frame.Samples;
import io.jobqueue.benchmark.frame.Scenario;
import io.jobqueue.benchmark.frame.Workbench;
import io.jobqueue.benchmark.plain.PlainDrain;
import io.jobqueue.benchmark.subject.BenchmarkDatabase;
import io.jobqueue.benchmark.subject.MeasuredQueue;

/**
 * How much of the rate is left when a queue is limited over all workers, by limits that
 * it does not reach, or probes its retries, of which there are none.
 */
public final class Controls implements Scenario {

	@Override
	public String name() {
		return "controls";
	}

	@Override
	public String measures() {
		return "drain with controls that hold nothing back; the ratios are to drain, alternating";
	}

	@Override
	public List<Bar> bars() {
		return List.of();
	}

	@Override
	public Result run(Workbench workbench) throws Exception {
		int jobs = workbench.scaled(Drain.JOBS / 4);
		BenchmarkDatabase database = workbench.database();
		PlainDrain plain = PlainDrain.of(database, 1);
		try (MeasuredQueue drain = start(database);
				MeasuredQueue slots = start(database, "jobqueue.defaults.cluster-concurrency=1000");
				MeasuredQueue rate = start(database, "jobqueue.defaults.rate.limit=1000000000",
						"jobqueue.defaults.rate.period=1m");
				MeasuredQueue probing = start(database, "jobqueue.defaults.probe-retries=true")) {
			return result(workbench.alternate(Contender.floor(() -> plain.drain(jobs)),
					Contender.value(() -> drain.drain(jobs)), new Contender("slots", () -> slots.drain(jobs)),
					new Contender("rate", () -> rate.drain(jobs)),
					new Contender("probing", () -> probing.drain(jobs))));
		}
	}

	private static MeasuredQueue start(BenchmarkDatabase database, String... settings) {
		String[] all = Arrays.copyOf(settings, settings.length + 1);
		all[settings.length] = Drain.retention("0");
		return MeasuredQueue.start(database, all);
	}

	private static Result result(Samples samples) {
		double value = samples.median("value");
		return Result.in("jobs/s")
			.with("value", value)
			.with("floor", samples.median("floor"))
			.with("ratio_slots", samples.median("slots") / value)
			.with("ratio_rate", samples.median("rate") / value)
			.with("ratio_probing", samples.median("probing") / value);
	}

}
