package io.jobqueue.observation;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;

import io.jobqueue.observation.JobObservationDocumentation.HighCardinalityKeys;
import io.jobqueue.observation.JobObservationDocumentation.LowCardinalityKeys;

/**
 * The default convention, with the names and keys of OpenTelemetry's semantic conventions
 * for messaging and those of the job queue's meters.
 */
public class DefaultEnqueueObservationConvention implements EnqueueObservationConvention {

	static final DefaultEnqueueObservationConvention INSTANCE = new DefaultEnqueueObservationConvention();

	private static final KeyValues CONSTANT = KeyValues.of(LowCardinalityKeys.SYSTEM.withValue("jobqueue"),
			LowCardinalityKeys.OPERATION.withValue("enqueue"), LowCardinalityKeys.OPERATION_TYPE.withValue("send"));

	@Override
	public String getName() {
		return "jobqueue.send";
	}

	@Override
	public String getContextualName(EnqueueObservationContext context) {
		return "enqueue " + context.getQueue();
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(EnqueueObservationContext context) {
		return CONSTANT.and(LowCardinalityKeys.QUEUE.withValue(context.getQueueTag()),
				LowCardinalityKeys.TYPE.withValue(context.getTypeTag()),
				LowCardinalityKeys.OUTCOME.withValue(context.getOutcome()));
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(EnqueueObservationContext context) {
		KeyValue destination = HighCardinalityKeys.DESTINATION.withValue(context.getQueue());
		int jobs = context.getRequests().size();
		if (jobs > 1) {
			return KeyValues.of(destination, HighCardinalityKeys.MESSAGE_COUNT.withValue(String.valueOf(jobs)));
		}
		return context.getReceipts().isEmpty() ? KeyValues.of(destination) : KeyValues.of(destination,
				HighCardinalityKeys.MESSAGE_ID.withValue(context.getReceipts().get(0).id().toString()));
	}

}
