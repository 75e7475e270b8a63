package io.jobqueue.docs;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Type;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

import tools.jackson.databind.json.JsonMapper;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import io.jobqueue.PayloadCodec;

/**
 * A codec that stores compressed JSON.
 */
class CompressingCodec implements PayloadCodec {

	private final JsonMapper json;

	CompressingCodec(JsonMapper json) {
		this.json = json;
	}

	@Override
	public Encoded encode(Object payload) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		try (GZIPOutputStream compressed = new GZIPOutputStream(bytes)) {
			compressed.write(this.json.writeValueAsBytes(payload));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return Encoded.ofBytes(bytes.toByteArray());
	}

	@Override
	public Object decode(Encoded encoded, Type type) {
		byte[] bytes = Objects.requireNonNull(encoded.bytes());
		try (GZIPInputStream compressed = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
			return this.json.readValue(compressed.readAllBytes(), this.json.constructType(type));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Where the codec is defined.
	 */
	@Configuration(proxyBeanMethods = false)
	static class Codecs {

		@Bean
		PayloadCodec payloadCodec(JsonMapper json) {
			return new CompressingCodec(json);
		}

	}

}
