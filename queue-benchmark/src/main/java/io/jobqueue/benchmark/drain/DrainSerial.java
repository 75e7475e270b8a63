package io.jobqueue.benchmark.drain;

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
 * How much of the rate is left when the queue runs one handler at a time.
 */
public final class DrainSerial implements Scenario {

	private static final double BAR = 0.5;

	@Override
	public String name() {
		return "drain-serial";
	}

	@Override
	public String measures() {
		return "drain with concurrency 1; the ratio is to drain, alternating";
	}

	@Override
	public List<Bar> bars() {
		return List.of(Bar.atLeast("ratio", BAR));
	}

	@Override
	public Result run(Workbench workbench) throws Exception {
		int jobs = workbench.scaled(Drain.JOBS);
		BenchmarkDatabase database = workbench.database();
		PlainDrain plain = PlainDrain.of(database, 1);
		try (MeasuredQueue drain = MeasuredQueue.start(database, Drain.retention("0"));
				MeasuredQueue serial = MeasuredQueue.start(database, Drain.retention("0"),
						"jobqueue.defaults.concurrency=1")) {
			return result(workbench.alternate(Contender.floor(() -> plain.drain(jobs)),
					new Contender("drain", () -> drain.drain(jobs)), Contender.value(() -> serial.drain(jobs))));
		}
	}

	private static Result result(Samples samples) {
		double value = samples.median("value");
		double drain = samples.median("drain");
		return Result.in("jobs/s")
			.with("value", value)
			.with("floor", samples.median("floor"))
			.with("drain", drain)
			.with("ratio", value / drain);
	}

}
