package io.jobqueue.outbox;

import java.util.stream.Collectors;

import org.springframework.validation.Errors;
import org.springframework.validation.FieldError;
import org.springframework.validation.ObjectError;

/**
 * Says why a payload is invalid without saying what it contains.
 */
final class ValidationReasons {

	private ValidationReasons() {
	}

	static String of(Errors errors) {
		return errors.getAllErrors().stream().map(ValidationReasons::reason).collect(Collectors.joining(", "));
	}

	private static String reason(ObjectError error) {
		String message = String.valueOf(error.getDefaultMessage());
		return (error instanceof FieldError field) ? field.getField() + " " + message : message;
	}

}
