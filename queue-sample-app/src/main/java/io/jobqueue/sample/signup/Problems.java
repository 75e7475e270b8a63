package io.jobqueue.sample.signup;

import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;
import org.springframework.validation.FieldError;
import org.springframework.web.bind.MethodArgumentNotValidException;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

/**
 * Answers with problem details, which for an invalid profile list what is wrong.
 */
@RestControllerAdvice
class Problems extends ResponseEntityExceptionHandler {

	@Override
	protected @Nullable ResponseEntity<Object> handleMethodArgumentNotValid(MethodArgumentNotValidException invalid,
			HttpHeaders headers, HttpStatusCode status, WebRequest request) {
		invalid.getBody().setTitle("Invalid profile");
		invalid.getBody().setDetail("Correct what is listed and sign up again.");
		invalid.getBody().setProperty("errors", invalid.getFieldErrors().stream().map(Reason::of).toList());
		return super.handleMethodArgumentNotValid(invalid, headers, status, request);
	}

	record Reason(String field, @Nullable String reason) {

		static Reason of(FieldError error) {
			return new Reason(error.getField(), error.getDefaultMessage());
		}

	}

}
