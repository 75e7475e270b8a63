package io.jobqueue.benchmark.relay;

import java.util.List;

import io.jobqueue.benchmark.frame.Bar;
import io.jobqueue.benchmark.frame.Contender;
import io.jobqueue.benchmark.frame.Result;
import io.jobqueue.benchmark.frame.Samples;
import io.jobqueue.benchmark.frame.Scenario;
import io.jobqueue.benchmark.frame.Workbench;
import io.jobqueue.testpostgres.KafkaCluster;

/**
 * How fast a queue is relayed to a topic of six partitions, until the last outcome is
 * recorded: beside a drain of the same jobs by handlers that do nothing while the broker
 * is idle, and beside handlers that send a record and wait for it. Without keys, and with
 * 10,000 keys.
 */
public final class Relay implements Scenario {

	private static final int JOBS = 500_000;

	/**
	 * Handlers that wait for each record would take minutes.
	 */
	private static final int FEWER = 10;

	private static final double BAR = 0.5;

	private static final double HANDLER_BAR = 5;

	@Override
	public String name() {
		return "relay";
	}

	@Override
	public String measures() {
		return "500,000 jobs of 200 bytes to a topic of Kafka, without keys and with 10,000; the ratios are to a drain and to handlers that send each";
	}

	@Override
	public List<Bar> bars() {
		return List.of(Bar.atLeast("ratio", BAR), Bar.atLeast("keyed_ratio", BAR),
				Bar.atLeast("handler_ratio", HANDLER_BAR));
	}

	@Override
	public Result run(Workbench workbench) throws Exception {
		int jobs = workbench.scaled(JOBS);
		int fewer = workbench.scaled(JOBS / FEWER);
		try (KafkaCluster broker = new KafkaCluster();
				LetterQueue queue = LetterQueue.start(workbench.database(), broker)) {
			return result(workbench.alternate(Contender.value(() -> queue.relay(jobs, false)),
					new Contender("drain", () -> queue.drain(jobs, false)),
					new Contender("handler", () -> queue.send(fewer, false)),
					new Contender("keyed", () -> queue.relay(jobs, true)),
					new Contender("keyed_drain", () -> queue.drain(jobs, true)),
					new Contender("keyed_handler", () -> queue.send(fewer, true))));
		}
	}

	private static Result result(Samples samples) {
		Result result = Result.in("jobs/s");
		for (String each : List.of("value", "drain", "handler", "keyed", "keyed_drain", "keyed_handler")) {
			result = result.with(each, samples.median(each));
		}
		return result.with("ratio", samples.ratio("value", "drain"))
			.with("handler_ratio", samples.ratio("value", "handler"))
			.with("keyed_ratio", samples.ratio("keyed", "keyed_drain"))
			.with("keyed_handler_ratio", samples.ratio("keyed", "keyed_handler"));
	}

}
