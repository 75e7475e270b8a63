package io.jobqueue.boot.autoconfigure;

import java.lang.reflect.Type;
import java.util.Locale;

import io.jobqueue.PayloadCodec;

/**
 * Cannot read what it has written.
 */
class ShoutingCodec implements PayloadCodec {

	@Override
	public Encoded encode(Object payload) {
		return Encoded.ofText(payload.toString().toUpperCase(Locale.ROOT));
	}

	@Override
	public Object decode(Encoded encoded, Type type) {
		throw new UnsupportedOperationException();
	}

}
