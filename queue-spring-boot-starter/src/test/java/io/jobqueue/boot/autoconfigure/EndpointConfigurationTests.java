package io.jobqueue.boot.autoconfigure;

import org.junit.jupiter.api.Test;

import io.jobqueue.internal.boot.endpoint.JobQueueEndpoint;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Where the endpoint is there.
 */
class EndpointConfigurationTests extends QueueTestBase {

	private static final String EXPOSED = "management.endpoints.web.exposure.include=jobqueue";

	@Test
	void endpointIsThereWhereItIsExposed() {
		this.contextRunner.withPropertyValues(EXPOSED)
			.run((context) -> assertThat(context).hasSingleBean(JobQueueEndpoint.class));
	}

	@Test
	void endpointIsNotExposedByItself() {
		this.contextRunner.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(JobQueueEndpoint.class));
	}

	@Test
	void endpointIsGoneWithoutAccess() {
		this.contextRunner.withPropertyValues(EXPOSED, "management.endpoint.jobqueue.access=NONE")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(JobQueueEndpoint.class));
	}

}
