package io.jobqueue.internal.store;

import org.jspecify.annotations.Nullable;

import io.jobqueue.PayloadCodec.Encoded;

/**
 * The result of a step of a workflow.
 *
 * @param value the encoded value, {@code null} for none
 * @param branch the branch that the handler has chosen, {@code null} for none
 */
public record StepResult(@Nullable Encoded value, @Nullable String branch) {

	/**
	 * Return the value as text.
	 * @return the text, {@code null} if the value is encoded as bytes or there is none
	 */
	public @Nullable String text() {
		return (this.value != null) ? this.value.text() : null;
	}

	/**
	 * Return the value as bytes.
	 * @return the bytes, {@code null} if the value is encoded as text or there is none
	 */
	public byte @Nullable [] bytes() {
		return (this.value != null) ? this.value.bytes() : null;
	}

}
