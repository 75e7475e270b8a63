package io.jobqueue.observation;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/**
 * The observations of the job queue.
 */
public enum JobObservationDocumentation implements ObservationDocumentation {

	/**
	 * A call that enqueues one job or several.
	 */
	ENQUEUE(DefaultEnqueueObservationConvention.class),

	/**
	 * A call of a handler and of the interceptors around it: an attempt of a job, or of
	 * several jobs of a handler that takes them together.
	 */
	RUN(DefaultRunObservationConvention.class);

	private final Class<? extends ObservationConvention<? extends Observation.Context>> convention;

	JobObservationDocumentation(Class<? extends ObservationConvention<? extends Observation.Context>> convention) {
		this.convention = convention;
	}

	@Override
	public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
		return this.convention;
	}

	@Override
	public KeyName[] getLowCardinalityKeyNames() {
		return LowCardinalityKeys.values();
	}

	@Override
	public KeyName[] getHighCardinalityKeyNames() {
		return (this == RUN) ? HighCardinalityKeys.values() : new KeyName[] { HighCardinalityKeys.DESTINATION,
				HighCardinalityKeys.MESSAGE_ID, HighCardinalityKeys.MESSAGE_COUNT };
	}

	/**
	 * Keys of low cardinality, for tags of meters and for spans.
	 */
	public enum LowCardinalityKeys implements KeyName {

		/**
		 * The queue of the jobs: {@code (other)} if this node does not declare it,
		 * {@code (several)} for jobs of more than one queue.
		 */
		QUEUE("queue"),

		/**
		 * The type of the jobs: {@code (other)} if this node does not declare it,
		 * {@code (several)} for jobs of more than one type.
		 */
		TYPE("type"),

		/**
		 * The outcome in lower case. For enqueueing: the outcome of the receipts, or
		 * {@code (several)}. For a run: {@code succeeded}, {@code retry_in},
		 * {@code snoozed} or {@code failed}, from the result or exception of the handler,
		 * or {@code (several)}. {@code none} until the outcome is known, or if the
		 * requests were rejected.
		 */
		OUTCOME("outcome"),

		/**
		 * The messaging system, always {@code jobqueue}.
		 */
		SYSTEM("messaging.system"),

		/**
		 * The operation in terms of the job queue: {@code enqueue} or {@code run}.
		 */
		OPERATION("messaging.operation.name"),

		/**
		 * The operation in terms of OpenTelemetry: {@code send} or {@code process}.
		 */
		OPERATION_TYPE("messaging.operation.type");

		private final String key;

		LowCardinalityKeys(String key) {
			this.key = key;
		}

		@Override
		public String asString() {
			return this.key;
		}

	}

	/**
	 * Keys of high cardinality, for spans only.
	 */
	public enum HighCardinalityKeys implements KeyName {

		/**
		 * The queue of the jobs, also if this node does not declare it.
		 */
		DESTINATION("messaging.destination.name"),

		/**
		 * The id of the job, if there is only one.
		 */
		MESSAGE_ID("messaging.message.id"),

		/**
		 * The number of jobs, if there is more than one.
		 */
		MESSAGE_COUNT("messaging.batch.message_count"),

		/**
		 * The number of the attempt, from 1.
		 */
		ATTEMPT("job.attempt");

		private final String key;

		HighCardinalityKeys(String key) {
			this.key = key;
		}

		@Override
		public String asString() {
			return this.key;
		}

	}

}
