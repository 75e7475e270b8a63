package io.jobqueue.worker;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which claims end, and when none is open.
 */
class OpenClaimsTests {

	private final OpenClaims claims = new OpenClaims();

	@Test
	void claimEndsWithItsLastJob() {
		this.claims.open(1, 3);
		settle(1L);
		assertThat(this.claims.endingWith(List.of(1L))).isEmpty();
		assertThat(this.claims.endingWith(List.of(1L, 1L))).containsExactly(1L);
		settle(1L);
		assertThat(this.claims.isEmpty()).isFalse();
		settle(1L);
		assertThat(this.claims.isEmpty()).isTrue();
	}

	@Test
	void claimWithAJobThatIsLeftDoesNotEndButIsDoneWith() {
		this.claims.open(1, 2);
		this.claims.open(2, 1);
		this.claims.leave(1);
		assertThat(this.claims.endingWith(List.of(1L, 2L))).containsExactly(2L);
		settle(1L, 2L);
		assertThat(this.claims.isEmpty()).isTrue();
	}

	private void settle(Long... claims) {
		this.claims.settled(List.of(claims));
	}

}
