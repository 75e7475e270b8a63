package io.jobqueue.observation;

import io.micrometer.common.docs.KeyName;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.docs.ObservationDocumentation;

/**
 * What is observed.
 */
public enum JobObservationDocumentation implements ObservationDocumentation {

	/**
	 * One call that enqueues jobs, however many.
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
	 * One attempt of a job: the call of its handler, and of the interceptors around it.
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
	 * Keys with few values, which tags of meters may be made of.
	 */
	public enum LowCardinalityKeys implements KeyName {

		/**
		 * Queue of the jobs: {@code (other)} for one that this node does not declare, and
		 * {@code (several)} for jobs of more than one.
		 */
		QUEUE {

			@Override
			public String asString() {
				return "queue";
			}

		},

		/**
		 * Type of the jobs, in the same way.
		 */
		TYPE {

			@Override
			public String asString() {
				return "type";
			}

		},

		/**
		 * What came of it, in lower case. Of enqueueing: the outcome of the receipts, or
		 * {@code (several)}. Of a run: {@code succeeded}, {@code retry_in},
		 * {@code snoozed} or {@code failed}, as the handler said. In both cases
		 * {@code none} until that is known, or if it was refused.
		 */
		OUTCOME {

			@Override
			public String asString() {
				return "outcome";
			}

		},

		/**
		 * Always {@code jobqueue}.
		 */
		SYSTEM {

			@Override
			public String asString() {
				return "messaging.system";
			}

		},

		/**
		 * What is done, in our own words: {@code enqueue} or {@code run}.
		 */
		OPERATION {

			@Override
			public String asString() {
				return "messaging.operation.name";
			}

		},

		/**
		 * What is done, in OpenTelemetry's words: {@code send} or {@code process}.
		 */
		OPERATION_TYPE {

			@Override
			public String asString() {
				return "messaging.operation.type";
			}

		}

	}

	/**
	 * Keys with many values, for spans alone.
	 */
	public enum HighCardinalityKeys implements KeyName {

		/**
		 * Queue of the jobs, whether it is declared or not.
		 */
		DESTINATION {

			@Override
			public String asString() {
				return "messaging.destination.name";
			}

		},

		/**
		 * Id of the job, if it is a single one.
		 */
		MESSAGE_ID {

			@Override
			public String asString() {
				return "messaging.message.id";
			}

		},

		/**
		 * Number of the jobs, if there is more than one.
		 */
		MESSAGE_COUNT {

			@Override
			public String asString() {
				return "messaging.batch.message_count";
			}

		},

		/**
		 * Number of the attempt, from 1.
		 */
		ATTEMPT {

			@Override
			public String asString() {
				return "job.attempt";
			}

		}

	}

}
