package io.jobqueue.observation;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;

import io.jobqueue.observation.JobObservationDocumentation.HighCardinalityKeys;
import io.jobqueue.observation.JobObservationDocumentation.LowCardinalityKeys;

/**
 * The default convention, with the names and keys of OpenTelemetry's semantic conventions
 * for messaging and those of the job queue's meters.
 */
public class DefaultRunObservationConvention implements RunObservationConvention {

	static final DefaultRunObservationConvention INSTANCE = new DefaultRunObservationConvention();

	private static final KeyValues CONSTANT = KeyValues.of(LowCardinalityKeys.SYSTEM.withValue("jobqueue"),
			LowCardinalityKeys.OPERATION.withValue("run"), LowCardinalityKeys.OPERATION_TYPE.withValue("process"));

	@Override
	public String getName() {
		return "jobqueue.process";
	}

	@Override
	public String getContextualName(RunObservationContext context) {
		return "run " + context.getJob().queue();
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(RunObservationContext context) {
		return CONSTANT.and(LowCardinalityKeys.QUEUE.withValue(context.getQueueTag()),
				LowCardinalityKeys.TYPE.withValue(context.getJob().type()),
				LowCardinalityKeys.OUTCOME.withValue(context.getOutcome()));
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(RunObservationContext context) {
		KeyValue destination = HighCardinalityKeys.DESTINATION.withValue(context.getJob().queue());
		int jobs = context.getJobs().size();
		if (jobs > 1) {
			return KeyValues.of(destination, HighCardinalityKeys.MESSAGE_COUNT.withValue(String.valueOf(jobs)));
		}
		return KeyValues.of(destination, HighCardinalityKeys.MESSAGE_ID.withValue(context.getJob().id().toString()),
				HighCardinalityKeys.ATTEMPT.withValue(String.valueOf(context.getJob().attempt())));
	}

}
