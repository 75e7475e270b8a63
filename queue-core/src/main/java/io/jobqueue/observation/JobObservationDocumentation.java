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
	ENQUEUE {

		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return DefaultEnqueueObservationConvention.class;
		}

		@Override
		public KeyName[] getHighCardinalityKeyNames() {
			return new KeyName[] { HighCardinalityKeys.DESTINATION, HighCardinalityKeys.MESSAGE_ID,
					HighCardinalityKeys.MESSAGE_COUNT };
		}

	},

	/**
	 * An attempt of a job: the call of its handler and of the interceptors around it.
	 */
	RUN {

		@Override
		public Class<? extends ObservationConvention<? extends Observation.Context>> getDefaultConvention() {
			return DefaultRunObservationConvention.class;
		}

		@Override
		public KeyName[] getHighCardinalityKeyNames() {
			return new KeyName[] { HighCardinalityKeys.DESTINATION, HighCardinalityKeys.MESSAGE_ID,
					HighCardinalityKeys.ATTEMPT };
		}

	};

	@Override
	public KeyName[] getLowCardinalityKeyNames() {
		return LowCardinalityKeys.values();
	}

	/**
	 * Keys of low cardinality, for tags of meters and for spans.
	 */
	public enum LowCardinalityKeys implements KeyName {

		/**
		 * The queue of the jobs: {@code (other)} if this node does not declare it,
		 * {@code (several)} for jobs of more than one queue.
		 */
		QUEUE {

			@Override
			public String asString() {
				return "queue";
			}

		},

		/**
		 * The type of the jobs: {@code (other)} if this node does not declare it,
		 * {@code (several)} for jobs of more than one type.
		 */
		TYPE {

			@Override
			public String asString() {
				return "type";
			}

		},

		/**
		 * The outcome in lower case. For enqueueing: the outcome of the receipts, or
		 * {@code (several)}. For a run: {@code succeeded}, {@code retry_in},
		 * {@code snoozed} or {@code failed}, from the result or exception of the handler.
		 * {@code none} until the outcome is known, or if the requests were rejected.
		 */
		OUTCOME {

			@Override
			public String asString() {
				return "outcome";
			}

		},

		/**
		 * The messaging system, always {@code jobqueue}.
		 */
		SYSTEM {

			@Override
			public String asString() {
				return "messaging.system";
			}

		},

		/**
		 * The operation in terms of the job queue: {@code enqueue} or {@code run}.
		 */
		OPERATION {

			@Override
			public String asString() {
				return "messaging.operation.name";
			}

		},

		/**
		 * The operation in terms of OpenTelemetry: {@code send} or {@code process}.
		 */
		OPERATION_TYPE {

			@Override
			public String asString() {
				return "messaging.operation.type";
			}

		}

	}

	/**
	 * Keys of high cardinality, for spans only.
	 */
	public enum HighCardinalityKeys implements KeyName {

		/**
		 * The queue of the jobs, also if this node does not declare it.
		 */
		DESTINATION {

			@Override
			public String asString() {
				return "messaging.destination.name";
			}

		},

		/**
		 * The id of the job, if there is only one.
		 */
		MESSAGE_ID {

			@Override
			public String asString() {
				return "messaging.message.id";
			}

		},

		/**
		 * The number of jobs, if there is more than one.
		 */
		MESSAGE_COUNT {

			@Override
			public String asString() {
				return "messaging.batch.message_count";
			}

		},

		/**
		 * The number of the attempt, from 1.
		 */
		ATTEMPT {

			@Override
			public String asString() {
				return "job.attempt";
			}

		}

	}

}
