package io.jobqueue.internal.store;

import org.junit.jupiter.api.Test;

import io.jobqueue.PayloadCodec.Encoded;
import io.jobqueue.harness.NewJobBuilder;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How large a job is.
 */
class NewJobTests {

	@Test
	void sizeIsThatOfPayloadAndHeaders() {
		assertThat(new NewJobBuilder().payload("12345").build().size()).isEqualTo(5);
		assertThat(new NewJobBuilder().payload(Encoded.ofBytes(new byte[7])).build().withHeaders("123").size())
			.isEqualTo(10);
	}

}
