package io.jobqueue.internal.store;

import java.io.IOException;
import java.sql.SQLException;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Causes}.
 */
class CausesTests {

	private final IOException root = new IOException("root");

	private final SQLException failure = new SQLException("failure", new IllegalStateException("cause", this.root));

	@Test
	void causesFollowTheFailure() {
		assertThat(Causes.of(this.failure)).containsExactly(this.failure, this.failure.getCause(), this.root);
		assertThat(Causes.root(this.failure)).isSameAs(this.root);
		assertThat(Causes.root(this.root)).isSameAs(this.root);
	}

	@Test
	void cyclicCausesAreWalkedOnce() {
		this.root.initCause(this.failure.getCause());
		assertThat(Causes.of(this.failure)).hasSize(3);
		assertThat(FailureText.of(this.failure)).isEqualTo("IOException: root");
	}

}
