package io.jobqueue.benchmark.consume;

import java.util.List;

import io.jobqueue.benchmark.frame.Bar;
import io.jobqueue.benchmark.frame.Contender;
import io.jobqueue.benchmark.frame.Result;
import io.jobqueue.benchmark.frame.Samples;
import io.jobqueue.benchmark.frame.Scenario;
import io.jobqueue.benchmark.frame.Workbench;
import io.jobqueue.testpostgres.KafkaCluster;

/**
 * How fast the records of a topic of six partitions run in a handler that does nothing,
 * without being jobs: beside a drain of jobs with the same payload while the broker is
 * idle. Without keys, and with 10,000 keys.
 */
public final class Consume implements Scenario {

	private static final int RECORDS = 500_000;

	private static final double BAR = 1.5;

	@Override
	public String name() {
		return "consume";
	}

	@Override
	public String measures() {
		return "500,000 records of 200 bytes of a topic of Kafka, without keys and with 10,000; the ratio is to a drain. The processor time is that of each process for a record";
	}

	@Override
	public List<Bar> bars() {
		return List.of(Bar.atLeast("ratio", BAR), Bar.atLeast("keyed_ratio", BAR));
	}

	@Override
	public Result run(Workbench workbench) throws Exception {
		int records = workbench.scaled(RECORDS);
		try (KafkaCluster broker = new KafkaCluster();
				PartTopic topic = PartTopic.start(workbench.database(), broker)) {
			Samples samples = workbench.alternate(Contender.value(() -> topic.consume(records, false)),
					new Contender("drain", () -> topic.drain(records)),
					new Contender("keyed", () -> topic.consume(records, true)));
			return result(samples, topic);
		}
	}

	private static Result result(Samples samples, PartTopic topic) {
		Result result = Result.in("records/s");
		for (String each : List.of("value", "drain", "keyed")) {
			result = result.with(each, samples.median(each));
		}
		return result.with("ratio", samples.ratio("value", "drain"))
			.with("keyed_ratio", samples.ratio("keyed", "drain"))
			.with("application_us", topic.applicationMicros())
			.with("broker_us", topic.brokerMicros())
			.with("database_us", topic.databaseMicros());
	}

}
